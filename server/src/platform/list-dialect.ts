import {
  type BinaryOperationNode,
  OperatorNode,
  PostgresDialect,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  type QueryCompiler,
} from 'kysely'

/**
 * PostgreSQL, with lists as one value. `in ($1, $2, $3)` would be another statement for each length of a
 * list, prepared and kept on every connection. `= any($1)` is the same text for all lengths.
 */
export class ListDialect extends PostgresDialect {
  override createQueryCompiler(): QueryCompiler {
    return new ListCompiler()
  }
}

const OPERATORS: Readonly<Record<string, { readonly one: string; readonly many: string }>> = {
  in: { one: '=', many: '= any' },
  'not in': { one: '<>', many: '<> all' },
}

class ListCompiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const { leftOperand, operator, rightOperand } = node
    const words = OperatorNode.is(operator) ? OPERATORS[operator.operator] : undefined
    if (!words || !PrimitiveValueListNode.is(rightOperand)) {
      super.visitBinaryOperation(node)
      return
    }
    this.visitNode(leftOperand)
    const { values } = rightOperand
    // The planner treats a list of one value as an equality, which keeps the order of an index, only if it is
    // written as one.
    this.append(values.length === 1 ? ` ${words.one} ` : ` ${words.many}(`)
    this.appendValue(values.length === 1 ? values[0] : values)
    if (values.length !== 1) this.append(')')
  }
}
