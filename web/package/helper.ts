// A thread of the package's worker.
import { startHelper } from '../engine/worker/kernels'

startHelper()
