// The package's types.
export type { BackendChoice, EngineInfo, ModelInfo } from '../engine/protocol/protocol'
export type {
  Chunk as Part,
  RequestKind as Kind,
  Params as Asks,
  ParamsOfModel as AsksOfModel,
  Requests as Questions,
  Result as Answer,
} from '../engine/protocol/requests'
export type { WeightsChoice } from '../engine/protocol/protocol'
export type { Progress } from './engine'
export type { GenerateOptions, Piece, Stoppable } from './generate'
export type { LoadOptions } from './load'
export type { PartName } from '../engine/protocol/parts'
export type { Attention, Fill, HeadPlace, Model, Output } from './model'
export type { OnHub, Source } from './load'
export type { LayerTap as Tap, TensorOf } from '../engine/protocol/site'
export type { Pooling, Tensor, TensorsByTap as Tapped } from './tensors'
export type { Text, TextTokens, Tokens } from './generate'
