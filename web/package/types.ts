// The types that the package gives out.
export type { BackendChoice, EngineInfo, ModelInfo } from '../engine/protocol/protocol'
export type {
  Chunk as Part,
  Kind,
  Params as Asks,
  ParamsOfModel as AsksOfModel,
  Requests as Questions,
  Result as Answer,
} from '../engine/protocol/requests'
export type { WeightsChoice } from '../engine/protocol/weights'
export type { Progress } from './engine'
export type { LoadOptions } from './load'
export type { PartName } from '../engine/protocol/parts'
export type { Attention, Fill, HeadPlace, Model, Ran } from './model'
export type { Pooling } from './pool'
export type { Tensor } from './safetensors'
export type { OnHub, Source } from './source'
export type { LayerTap as Tap, TensorOf } from '../engine/protocol/site'
export type { Tapped } from './taps'
export type { Text, TextTokens, Tokens } from './text'
export type { GenerateOptions, Piece, Stoppable } from './writing'
