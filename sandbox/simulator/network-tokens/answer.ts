import { readFault, type Sleep, sendThrough } from '../faults.ts'
import { BadRequest, type Body, type Call, isOneOf, readAttemptId, readBody } from '../requests.ts'
import { accountReference, readWish, tokenNumber } from './cards.ts'
import * as provider from './provider.ts'
import type { Entry, Token } from './store.ts'
import * as store from './store.ts'

/** The address of the token service, which does not exist outside this process. */
export const TOKENS_URL = 'https://tokens.simulator.invalid/'

export type Desk = provider.Office & {
  readonly sleep: Sleep
  readonly goOn: (work: Promise<unknown>) => void
}

/** The token service of all schemes, for sandboxes. */
export async function answerTokens(desk: Desk, request: Call): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  const [, place = '', id = '', verb = ''] = pathname.split('/')
  const route = `${request.method} ${place}${id && '/:id'}${verb && `/${verb}`}`
  if (route === 'GET books') {
    const tokens = await store.listBooks(desk.pool, searchParams.get('client_reference') ?? '')
    return Response.json({ tokens })
  }
  const requestorId = readRequestor(request)
  if (requestorId === null) return refuse(401, 'unknown_requestor')
  switch (route) {
    case 'GET attempts/:id':
      return inquire(desk, requestorId, readAttemptId(id))
    case 'POST tokens':
      return provision(desk, request, requestorId)
    case 'POST tokens/:id/suspend':
    case 'POST tokens/:id/resume':
    case 'POST tokens/:id/delete': {
      const operation = verb as provider.Change['operation']
      const { attempt_id } = await readBody(request)
      const order = { attemptId: readAttemptId(attempt_id), requestorId, operation, reference: id }
      const token = await store.findToken(desk.pool, id).catch(() => null)
      const perform = () => provider.change(desk, order)
      return operate(desk, request, { attemptId: order.attemptId, fault: token?.fault ?? null, perform })
    }
    case 'POST tokens/:id/cryptograms':
      return makeCryptogram(desk, { requestorId, reference: id })
    case 'POST notices':
      return takeNotice(desk, request, requestorId)
    default:
      return refuse(404, 'unknown_path')
  }
}

async function provision(desk: Desk, request: Call, requestorId: string): Promise<Response> {
  const body = await readBody(request)
  const { scheme, number, expiration_date } = body
  if (!isOneOf(scheme, store.SCHEMES)) throw new BadRequest('scheme')
  if (typeof number !== 'string' || !/^\d{12,19}$/.test(number)) throw new BadRequest('number')
  if (typeof expiration_date !== 'string') throw new BadRequest('expiration_date')
  const order: provider.Provision = {
    attemptId: readAttemptId(body['attempt_id']),
    clientReference: readAttemptId(body['client_reference']),
    requestorId,
    scheme,
    number,
  }
  const perform = () => provider.provision(desk, order)
  return operate(desk, request, {
    attemptId: order.attemptId,
    fault: readWish(number).provisionFault,
    perform,
  })
}

type Operation = {
  readonly attemptId: string
  /** What the card asks for. A header of the call comes first. */
  readonly fault: Token['fault']
  readonly perform: () => Promise<provider.Performed>
}

function operate(desk: Desk, request: Call, { attemptId, fault, perform }: Operation): Promise<Response> {
  const asked = readFault(request.headers.get('x-fault'))
  if (asked === 'unknown') throw new BadRequest('x-fault')
  const network = {
    sleep: desk.sleep,
    goOn: desk.goOn,
    signal: request.signal,
    isFirst: (kind: string) => store.isFirstHit(desk.pool, { attemptId, kind, now: desk.clock() }),
    perform: async () => {
      const performed = await perform()
      const isNew = performed.result === 'entry' && performed.isNew
      return { response: await respond(desk, performed), isNew }
    },
  }
  return sendThrough(network, asked ?? fault)
}

async function respond(desk: Desk, performed: provider.Performed): Promise<Response> {
  if (performed.result === 'entry') return Response.json(await show(desk, performed.entry))
  return refuse(performed.result === 'attempt_closed' ? 409 : 422, performed.result)
}

async function inquire(desk: Desk, requestorId: string, attemptId: string): Promise<Response> {
  const entry = await provider.inquire(desk, attemptId)
  if (entry === 'closed') return refuse(404, 'attempt_closed')
  if (entry.requestorId !== requestorId) return refuse(403, 'other_requestor')
  return Response.json(await show(desk, entry))
}

/** An answer about a provisioned token repeats its number, so that a lost answer can be asked for again. */
async function show(desk: Desk, { operation, status, reference, code }: Entry): Promise<object> {
  const token = reference === null ? null : await store.findToken(desk.pool, reference)
  const isNew = operation === 'provision' && token !== null
  return {
    operation,
    status,
    reference,
    code,
    ...(isNew && {
      number: tokenNumber(token.scheme, desk.mac(JSON.stringify(['token', token.reference]))),
      expiration_date: token.expirationDate,
      token_status: token.status,
      payment_account_reference: accountReference(token.scheme, token.cardHash),
    }),
  }
}

async function makeCryptogram(
  desk: Desk,
  asked: { readonly requestorId: string; readonly reference: string },
): Promise<Response> {
  const cryptogram = await provider.makeCryptogram(desk, asked)
  return typeof cryptogram === 'string'
    ? Response.json({ cryptogram }, { status: 201 })
    : refuse(422, cryptogram.code)
}

async function takeNotice(desk: Desk, request: Call, requestorId: string): Promise<Response> {
  const body = await readBody(request)
  const status = body['status'] ?? null
  if (status !== null && !isOneOf(status, ['active', 'suspended', 'deleted'])) throw new BadRequest('status')
  const token = await provider.take(desk, {
    requestorId,
    clientReference: readAttemptId(body['client_reference']),
    status,
    expirationDate: readDate(body),
  })
  if (!token) return refuse(404, 'unknown_token')
  return Response.json({ status: token.status, expiration_date: token.expirationDate })
}

function readDate(body: Body): string | null {
  const value = body['expiration_date'] ?? null
  if (value === null) return null
  if (typeof value !== 'string' || !/^(0[1-9]|1[0-2])\/\d{2}$/.test(value)) {
    throw new BadRequest('expiration_date')
  }
  return value
}

/** Any text is a requestor, because this is a sandbox. */
function readRequestor(request: Call): string | null {
  try {
    const requestorId = decodeURIComponent(request.headers.get('x-requestor-id') ?? '')
    return requestorId === '' || requestorId.includes('\0') ? null : requestorId
  } catch {
    return null
  }
}

function refuse(status: number, error: string): Response {
  return Response.json({ error }, { status })
}
