import type { ValueType } from '../typed-value.ts'
import type { TableFrame } from './read-table-frame.ts'

/** What the cells and outputs of a table are typed by. */
export interface TableTypes {
  readonly frame: TableFrame
  /** Type of each input, without the fact's own bounds: a test may lie outside them. */
  readonly columns: readonly ValueType[]
  readonly output: ValueType
}
