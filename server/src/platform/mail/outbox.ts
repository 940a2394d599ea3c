import { sql } from 'kysely'
import { newId } from '#domain/ids.ts'
import type { Secrets } from '../access/secrets.ts'
import type { Context, Tx } from '../database/db.ts'
import type { Logger } from '../observability/log.ts'
import type { Job } from '../process/jobs.ts'
import { nextDueAt, type Queue, take } from '../queue/queue.ts'
import { isRefusedForGood, type Mail, type Mailer } from './mailer.ts'

declare module '../database/db.ts' {
  interface Tables {
    mails: {
      id: string
      topic: string
      content: Buffer | null
      tries: number
      due_at: Date | null
      created_at: Date
    }
  }
}

type Waiting = {
  readonly id: string
  readonly topic: string
  readonly content: Buffer
  readonly tries: number
}

const QUEUE: Queue<Waiting> = {
  table: 'mails',
  key: ['id'],
  columns: ['id', 'topic', 'content', 'tries'],
  open: sql`due_at is not null`,
  due: 'due_at',
}
const AT_ONCE = 20
const DAY_MS = 24 * 3_600_000
/** A minute, five, twenty-five, two hours, and then every six: eight tries in a day. */
const TRIES_MAX = 8
const PURPOSE = 'mail'

/** Posts a mail with what else the transaction writes. A job sends it. */
export async function post(
  { db, clock }: Context<Tx>,
  secrets: Secrets,
  topic: string,
  mail: Mail,
): Promise<void> {
  const now = clock()
  const id = newId(now.getTime())
  const content = secrets.seal(PURPOSE, id, JSON.stringify(mail))
  await db
    .insertInto('mails')
    .values({ id, topic, content, tries: 0, due_at: now, created_at: now })
    .execute()
}

/** How many mails about something were posted in the last day. */
export async function countOf({ db, clock }: Context, topic: string): Promise<number> {
  const { count } = await db
    .selectFrom('mails')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('topic', '=', topic)
    .where('created_at', '>', new Date(clock().getTime() - DAY_MS))
    .executeTakeFirstOrThrow()
  return Number(count)
}

type Needs = {
  readonly context: Context
  readonly secrets: Secrets
  readonly logger: Logger
  readonly mailer?: Mailer | null
}

export const mailJob: Job<Needs> = {
  name: 'send-mails',
  everyMs: 1_000,
  nextDueAt: ({ context }) => nextDueAt(context, QUEUE),
  run: async ({ mailer, ...needs }, stopping) => {
    if (!mailer) return
    while (!stopping.aborted) {
      const due = await takeDue(needs.context)
      for (const one of due) await sendOne(needs, mailer, one)
      if (due.length < AT_ONCE) break
    }
    await removeOld(needs.context)
  },
}

/** The statement puts each off, so that no other process takes it now, and one does if this process dies. */
function takeDue(context: Context): Promise<Waiting[]> {
  const pause = sql`interval '1 minute' * least(360, 5 ^ tries)`
  return take(context, QUEUE, {
    limit: AT_ONCE,
    set: sql`tries = tries + 1, due_at = ${context.clock()}::timestamptz + ${pause}`,
  })
}

/** A mail may be sent twice if the process dies in between. Its id is the same, and mail programs show it once. */
async function sendOne(
  { context, secrets, logger }: Omit<Needs, 'mailer'>,
  mailer: Mailer,
  { id, topic, content, tries }: Waiting,
): Promise<void> {
  try {
    await mailer.send(id, JSON.parse(secrets.open(PURPOSE, id, content)))
    await end(context, id)
  } catch (error) {
    const isOver = isRefusedForGood(error) || tries >= TRIES_MAX
    if (isOver) await end(context, id)
    // What the server says may repeat the recipient.
    const about = { mail: id, topic, code: codeOf(error), tries }
    if (isOver) logger.error(about, 'an e-mail is given up: check the address, or the SMTP server')
    else logger.warn(about, 'an e-mail could not be sent, and will be tried again')
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  const { code, responseCode } = error as { readonly code?: unknown; readonly responseCode?: unknown }
  return [code, responseCode].filter((part) => part !== undefined).join(' ') || error.name
}

async function end({ db }: Context, id: string): Promise<void> {
  await db.updateTable('mails').set({ content: null, due_at: null }).where('id', '=', id).execute()
}

async function removeOld({ db, clock }: Context): Promise<void> {
  const until = new Date(clock().getTime() - DAY_MS)
  await db.deleteFrom('mails').where('due_at', 'is', null).where('created_at', '<=', until).execute()
}
