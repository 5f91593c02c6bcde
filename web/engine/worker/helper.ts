// A worker that helps the engine's with its kernels.
import { startHelper } from './kernels'

startHelper()
