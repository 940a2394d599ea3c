import {
  type BinaryOperationNode,
  type OperationNode,
  OperatorNode,
  PostgresDialect,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  type QueryCompiler,
  RawNode,
  type SelectionNode,
  type SelectQueryNode,
  ValueNode,
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

/** The texts of what queries select, once they were written. Undefined: not yet. */
const lasting = new WeakMap<OperationNode, { text?: string }>()

/** For a query that is built once and used again and again: what it selects is written once, too. */
export function builtOnce<Query extends { readonly toOperationNode: () => SelectQueryNode }>(
  query: Query,
): Query {
  for (const selection of query.toOperationNode().selections ?? []) lasting.set(selection, {})
  return query
}

const OPERATORS: Readonly<Record<string, { readonly one: string; readonly many: string }>> = {
  in: { one: '=', many: '= any' },
  'not in': { one: '<>', many: '<> all' },
}

class ListCompiler extends PostgresQueryCompiler {
  /** A payment's statements are texts and a hundred values. To visit each of them as a node takes twice as long. */
  protected override visitRaw(node: RawNode): void {
    for (let at = 0; at < node.sqlFragments.length; at += 1) {
      this.append(node.sqlFragments[at] ?? '')
      const next = node.parameters[at]
      if (next === undefined) continue
      if (ValueNode.is(next) && !next.immediate) this.appendValue(next.value)
      else if (RawNode.is(next)) this.visitRaw(next)
      else this.visitNode(next)
    }
  }

  protected override visitSelection(node: SelectionNode): void {
    const kept = lasting.get(node)
    if (kept?.text !== undefined) {
      this.append(kept.text)
      return
    }
    const [start, values] = [this.getSql().length, this.numParameters]
    super.visitSelection(node)
    if (kept && this.numParameters === values) kept.text = this.getSql().slice(start)
  }

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
