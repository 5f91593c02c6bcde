// A thread of the package's worker.
import { beHelper } from '../engine/worker/kernels'

beHelper()
