// A worker that helps the engine's with its kernels.
import { beHelper } from './kernels'

beHelper()
