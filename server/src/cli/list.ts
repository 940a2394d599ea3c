const PAGE = 100

type PageOf<Item> = { readonly items: readonly Item[]; readonly next_cursor: string | null }

/** All items of a list, read page by page. */
export async function allPages<Item>(
  read: (page: { readonly limit: number; readonly cursor?: string }) => Promise<PageOf<Item>>,
): Promise<Item[]> {
  const all: Item[] = []
  let cursor: string | null | undefined
  while (cursor !== null) {
    const page: PageOf<Item> = await read({ limit: PAGE, ...(cursor !== undefined && { cursor }) })
    all.push(...page.items)
    cursor = page.next_cursor
  }
  return all
}

/** Rows below headings, in columns as wide as their content. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? []
  const line = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0))
  return rows.map((row) => line(row).join('  ').trimEnd()).join('\n')
}
