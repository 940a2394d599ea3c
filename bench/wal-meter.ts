import pg from 'pg'

/** What all processes have written to the log of a database, and in how many commits. */
export async function openWalMeter(connection: pg.ClientConfig) {
  const client = new pg.Client(connection)
  await client.connect()
  return {
    read: async (): Promise<{ walBytes: number; commits: number }> => {
      const { rows } = await client.query<{ bytes: string; commits: string }>(
        // Each transaction that writes takes a number.
        `select pg_current_wal_insert_lsn() - '0/0' as bytes,
           pg_snapshot_xmax(pg_current_snapshot())::text as commits`,
      )
      return { walBytes: Number(rows[0]?.bytes), commits: Number(rows[0]?.commits) }
    },
    close: () => client.end(),
  }
}
