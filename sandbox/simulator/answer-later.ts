import * as disputes from './disputes.ts'
import * as messages from './messages.ts'
import * as notices from './notices.ts'
import type { Office } from './processor.ts'
import { type Body, type Call, flag, isReference, readBody } from './requests.ts'
import { listFiles, readFile } from './settlement/answer.ts'
import type { Entry } from './store.ts'

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
      const found = await messages.findSubject(office, about)
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

const ANSWER_DAYS = 14

function showNotice(entry: Entry): object {
  const { operation, reference, authorizationReference, subjectReference, amount, currency } = entry
  // A payment that was captured in one step is known by its authorization, and so is what is disputed.
  const isWhole = operation !== 'lateFailure' || subjectReference === authorizationReference
  return {
    operation,
    reference,
    subject: operation === 'lateFailure' ? subjectReference : authorizationReference,
    of: entry.code === 'refund_failed' ? 'refund' : isWhole ? 'authorization' : 'capture',
    amount,
    currency,
    code: entry.code,
    description: entry.description,
    at: entry.endedAt,
    respond_by: operation === 'chargeback' && entry.endedAt ? answerBy(entry.endedAt) : null,
  }
}

/** No answer is taken here: the processor only says until when one would be. */
function answerBy(disputedAt: Date): Date {
  return new Date(disputedAt.getTime() + ANSWER_DAYS * 86_400_000)
}

function unknownReference(): Response {
  return Response.json({ error: 'unknown_reference' }, { status: 404 })
}
