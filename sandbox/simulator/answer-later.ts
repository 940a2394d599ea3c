import { answerBy } from './aftermath.ts'
import * as disputes from './disputes.ts'
import { disputeCodeOf, reasonOf } from './fates.ts'
import * as notices from './notices.ts'
import type { Office } from './processor.ts'
import { BadRequest, type Body, type Call, flag, isReference, readBody } from './requests.ts'
import { listFiles, readFile } from './settlement/answer.ts'
import * as store from './store.ts'
import { COLUMNS, type Entry } from './store.ts'

type Place = {
  readonly route: string
  readonly id: string
  readonly merchantId: string
  readonly query: URLSearchParams
}

/** What becomes of payments after their capture: files, disputes and notifications. Null: asked about something else. */
export async function answerLater(
  office: Office,
  request: Call,
  { route, id, merchantId, query }: Place,
): Promise<Response | null> {
  switch (route) {
    case 'GET files':
      return listFiles(office, merchantId, query)
    case 'GET files/:id': {
      const file = await readFile(office, merchantId, request, id)
      return file ?? Response.json({ error: 'unknown_file' }, { status: 404 })
    }
    case 'POST disputes':
      return answerDispute(office, merchantId, await readBody(request))
    case 'GET messages/:id': {
      const about = { merchantId, transactionId: id, event: query.get('event') }
      const found = await findSubject(office, about)
      if (!found) return unknownReference()
      const { operation, status, reference, code } = found.entry
      const notice = found.entry.subjectReference === null ? null : showNotice(found.entry)
      return Response.json({ operation, status, reference, code, root: found.root.reference, notice })
    }
    case 'GET agenda':
      return Response.json({ next_notice_at: await notices.nextAt(office.pool, merchantId, office.clock()) })
    case 'GET notices': {
      const due = await notices.listDue(office.pool, merchantId, office.clock())
      return Response.json({ notices: due.map(showNotice) })
    }
    case 'GET notices/:id':
    case 'POST notices/:id':
      return answerNotice(office, request, { merchantId, reference: id })
    default:
      return null
  }
}

async function answerDispute(office: Office, merchantId: string, body: Body): Promise<Response> {
  const disputed = await disputes.dispute(office, disputes.readDispute(merchantId, body))
  if (disputed.result === 'entry') return Response.json(showNotice(disputed.entry))
  if (disputed.result === 'unknown_reference') return unknownReference()
  const left = 'left' in disputed ? disputed.left : null
  return Response.json({ error: disputed.result, left }, { status: 409 })
}

type NoticeName = { readonly merchantId: string; readonly reference: string }

/** What it is about, or that the merchant's system has taken it. */
async function answerNotice(office: Office, request: Call, name: NoticeName): Promise<Response> {
  const now = office.clock()
  const entry = isReference(name.reference) ? await notices.find(office.pool, { ...name, now }) : null
  if (!entry) return unknownReference()
  if (request.method === 'POST') {
    const isTaken = flag(await readBody(request), 'taken')
    await notices.noteSent(office.pool, { reference: name.reference, isTaken, now })
  }
  return Response.json(showNotice(entry))
}

function showNotice(entry: Entry): object {
  const { operation, reference, authorizationReference, subjectReference, amount, currency } = entry
  const isEnd = operation === 'disputeEnd'
  const chargeback = operation === 'chargeback' ? reference : subjectReference
  // A payment that was captured in one step is known by its authorization, and so is what is disputed.
  const isWhole = operation !== 'lateFailure' || subjectReference === authorizationReference
  return {
    operation,
    reference,
    subject: operation === 'lateFailure' ? subjectReference : authorizationReference,
    of: entry.code === 'refund_failed' ? 'refund' : isWhole ? 'authorization' : 'capture',
    amount,
    currency,
    code: isEnd ? disputeCodeOf(reasonOf(entry)) : entry.code,
    description: entry.description,
    at: entry.endedAt,
    dispute: operation === 'lateFailure' ? null : chargeback,
    end: isEnd ? entry.code : null,
    respond_by: operation === 'chargeback' ? answerBy(entry) : null,
  }
}

function unknownReference(): Response {
  return Response.json({ error: 'unknown_reference' }, { status: 404 })
}

/** What a message can say the end of, by the first word of its event. */
const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  authorization: ['authorize'],
  capture: ['capture'],
  void: ['void'],
  refund: ['refund'],
}
const ALL = [
  'authorize',
  'capture',
  'void',
  'refund',
  'chargeback',
  'chargebackReversal',
  'lateFailure',
  'disputeEnd',
]

type About = {
  readonly merchantId: string
  /** The merchant's own id: a merchant who missed the answer knows no reference. */
  readonly transactionId: string
  /** Null: what the processor told last. */
  readonly event: string | null
}

type Found = { readonly root: Entry; readonly entry: Entry }

/**
 * What a message about a payment is about. Without an event: what ended last. With one: the operation that it names, and of
 * several the one that is pending.
 */
async function findSubject(
  { pool, clock }: Office,
  { merchantId, transactionId, event }: About,
): Promise<Found | null> {
  const [name = ''] = event?.split('.') ?? []
  const operations = event === null ? ALL : OPERATIONS[name]
  if (!operations) throw new BadRequest('event')
  const root = await store.findPendingOfTransaction(pool, merchantId, transactionId)
  if (!root) return null
  // A sale is one entry: its capture is the sale itself.
  if (name === 'capture' && root.isFinal) return { root, entry: root }
  const { rows } = await pool.query<Entry>(
    `select ${COLUMNS} from simulator.entries
     where (reference = $1 or authorization_reference = $1) and operation = any ($2)
       and (case when $3 then status = 'pending' or ended_at <= $4 else status <> 'pending' and ended_at <= $4 end)
     order by status = 'pending' desc, ended_at desc, reference desc
     limit 1`,
    [root.reference, operations, event !== null, clock()],
  )
  return rows[0] ? { root, entry: rows[0] } : null
}
