// The package's helper, beside its worker.
import { beHelper } from '../engine/worker/kernels'

beHelper()
