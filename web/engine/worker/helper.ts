// A thread of the worker, in the page and in the package.
import { startHelper } from './kernels'

startHelper()
