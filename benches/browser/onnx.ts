// A graph for onnxruntime, built node by node. Field numbers are those of onnx.proto.
import { bytes, concatenated, float, integer, type Field } from './protobuf'

const FLOAT = 1
const UINT8 = 2
const INT64 = 7
/** Domain of the operators that ONNX Runtime adds. */
export const microsoft = 'com.microsoft'

/** Sizes of a value; a name stands for one that is known only when it runs. */
type Sizes = readonly (number | string)[]

/** Name of a value in the graph. */
export type Name = string

type Attribute = number | readonly number[] | { float: number }

function attribute(name: string, value: Attribute): Field {
  if (typeof value === 'number') return bytes(5, [bytes(1, name), integer(3, value), integer(20, 2)])
  if ('float' in value) return bytes(5, [bytes(1, name), float(2, value.float), integer(20, 1)])
  return bytes(5, [bytes(1, name), ...value.map((one) => integer(8, one)), integer(20, 7)])
}

function valueInfo(field: number, name: string, type: number, shape: Sizes): Field {
  const dimensions = shape.map((size) => bytes(1, [typeof size === 'number' ? integer(1, size) : bytes(2, size)]))
  return bytes(field, [bytes(1, name), bytes(2, [bytes(1, [integer(1, type), bytes(2, dimensions)])])])
}

export class Graph {
  private readonly fields: Field[] = []
  private names = 0
  /** Nodes so far. */
  nodes = 0

  /** One node with one output, whose name is returned. */
  node(operator: string, inputs: readonly Name[], attributes: Record<string, Attribute> = {}, domain = ''): Name {
    return this.nodeOf(1, operator, inputs, attributes, domain)[0] ?? ''
  }

  /** One node with so many outputs. An input that is left out is empty. */
  nodeOf(
    count: number,
    operator: string,
    inputs: readonly Name[],
    attributes: Record<string, Attribute> = {},
    domain = '',
  ): Name[] {
    const name = `${operator}_${this.names++}`
    const outputs = Array.from({ length: count }, (_, at) => (at === 0 ? name : `${name}_${at}`))
    this.fields.push(
      bytes(1, [
        ...inputs.map((input) => bytes(1, input)),
        ...outputs.map((output) => bytes(2, output)),
        bytes(3, name),
        bytes(4, operator),
        ...Object.entries(attributes).map(([name, value]) => attribute(name, value)),
        bytes(7, domain),
      ]),
    )
    this.nodes++
    return outputs
  }

  floats(shape: readonly number[], data: Float32Array): Name {
    return this.initializer(FLOAT, shape, new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
  }

  integers(values: readonly number[]): Name {
    return this.initializer(INT64, [values.length], new Uint8Array(BigInt64Array.from(values, BigInt).buffer))
  }

  bytesOf(shape: readonly number[], data: Uint8Array): Name {
    return this.initializer(UINT8, shape, data)
  }

  input(name: string, shape: Sizes, type: 'int64' | 'float' = 'int64'): Name {
    this.fields.push(valueInfo(11, name, type === 'float' ? FLOAT : INT64, shape))
    return name
  }

  output(name: string, value: Name, shape: Sizes): void {
    this.fields.push(bytes(1, [bytes(1, value), bytes(2, name), bytes(4, 'Identity')]))
    this.fields.push(valueInfo(12, name, FLOAT, shape))
  }

  /** The model's file. */
  file(): Uint8Array {
    const domain = (name: string, version: number) => bytes(8, [bytes(1, name), integer(2, version)])
    const graph = bytes(7, [bytes(2, 'roformer'), ...this.fields])
    return concatenated([integer(1, 9), bytes(2, 'ropescope'), domain('', 20), domain(microsoft, 1), graph])
  }

  private initializer(type: number, shape: readonly number[], raw: Uint8Array): Name {
    const name = `initializer_${this.names++}`
    this.fields.push(
      bytes(5, [...shape.map((size) => integer(1, size)), integer(2, type), bytes(8, name), bytes(9, raw)]),
    )
    return name
  }
}
