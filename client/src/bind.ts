import type { Connection } from './connect.ts'

/** The operations of a tree without their first parameter, the connection. */
export type Bound<Tree> = {
  readonly [Name in keyof Tree]: Tree[Name] extends {
    // An operation with two answers, of which an option chooses one.
    (connection: Connection, ...rest: infer Chosen): infer Choice
    (connection: Connection, ...rest: infer Rest): infer Result
  }
    ? { (...rest: Chosen): Choice; (...rest: Rest): Result }
    : Tree[Name] extends (connection: Connection, ...rest: infer Rest) => infer Result
      ? (...rest: Rest) => Result
      : Bound<Tree[Name]>
}

type Operation = (connection: Connection, ...rest: unknown[]) => unknown

export function bind<Tree extends object>(connection: Connection, tree: Tree): Bound<Tree> {
  const bound = Object.entries(tree).map(([name, value]) => [
    name,
    typeof value === 'function'
      ? (...rest: unknown[]) => (value as Operation)(connection, ...rest)
      : bind(connection, value),
  ])
  return Object.fromEntries(bound)
}
