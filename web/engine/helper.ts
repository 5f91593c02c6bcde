// A worker that helps the engine's with products.
import { beHelper } from './product'

beHelper()
