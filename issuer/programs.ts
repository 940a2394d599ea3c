import { newId, type Office } from './office.ts'

/** What a merchant sends to reach its cards. */
export type Credentials = { readonly name: string; readonly key: string }

export type Programs = { readonly idOf: (credentials: Credentials) => Promise<string> }

const REMEMBERED_MAX = 1_000

/**
 * The program that belongs to a name and a key. There is nothing to register and nothing to guess: another key, even a
 * mistyped one, is another program, with no cards in it.
 */
export function createPrograms(office: Office): Programs {
  // Programs are never deleted, so they can be cached.
  const known = new Map<string, string>()
  return {
    idOf: async ({ name, key }) => {
      const hash = office.secrets.mac('gift-card-program', JSON.stringify([name, key]))
      const id = known.get(hash.toString('base64')) ?? (await findOrMake(office, name, hash))
      if (known.size < REMEMBERED_MAX) known.set(hash.toString('base64'), id)
      return id
    },
  }
}

async function findOrMake({ pool, clock }: Office, name: string, hash: Buffer): Promise<string> {
  const find = () =>
    pool.query<{ id: string }>('select id from issuer.programs where program_hash = $1', [hash])
  const [known] = (await find()).rows
  if (known) return known.id
  const now = clock()
  await pool.query(
    `insert into issuer.programs (id, program_hash, name, created_at) values ($1, $2, $3, $4)
     on conflict (program_hash) do nothing`,
    [newId(now), hash, name, now],
  )
  const [made] = (await find()).rows
  if (!made) throw new Error('a program that was just made is not there')
  return made.id
}

export async function hasCards({ pool }: Office, programId: string): Promise<boolean> {
  const { rowCount } = await pool.query('select from issuer.cards where program_id = $1 limit 1', [programId])
  return rowCount === 1
}
