import * as cards from './cards.ts'
import type { Performed } from './enter.ts'
import { giveBack, release } from './give-back.ts'
import { type Desk, identify } from './identify.ts'
import { issue } from './issue.ts'
import type { Operation } from './ledger.ts'
import * as ledger from './ledger.ts'
import { activate, load } from './load.ts'
import type { IssuerSecrets, Office } from './office.ts'
import { answerPage } from './page.ts'
import { urlOf } from './pages.ts'
import { createPins } from './pins.ts'
import { createPrograms } from './programs.ts'
import {
  BadRequest,
  type Body,
  readAttempt,
  readAttemptId,
  readBody,
  readCard,
  readCredentials,
  readId,
  readMoney,
  readMoneyOrNull,
  readText,
  readValidMonths,
} from './requests.ts'
import { judgeUse, type Refusal } from './rules.ts'
import { take, takeHeld } from './take.ts'
import { createTurns } from './turns.ts'

/** Where the issuer seems to be. Names that end in `.invalid` lead nowhere (RFC 2606), so nothing gets out. */
export const ISSUER_URL = 'https://gift-cards.switchyard.invalid/'

export type Issuer = {
  readonly handle: (request: Request) => Promise<Response>
  /** Like `fetch`: ends when the caller gives up. The issuer still finishes its work. */
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>
}

export type IssuerOptions = Omit<Office, 'secrets'> & {
  readonly secrets: IssuerSecrets
  /** Is called when the issuer itself fails, for example without its database. Callers see a broken connection. */
  readonly onError?: (error: unknown) => void
}

/** An issuer of gift cards for merchants who sell their own, with a ledger of every one of them. */
export function createIssuer({ onError = () => {}, ...office }: IssuerOptions): Issuer {
  const desk: Desk = {
    ...office,
    pins: createPins(office),
    programs: createPrograms(office),
    turns: createTurns(),
  }
  const handle = async (request: Request) => {
    try {
      return await answer(desk, request)
    } catch (error) {
      if (error instanceof BadRequest) return refuse(400, 'bad_request', error.field)
      onError(error)
      throw new TypeError('fetch failed', { cause: error })
    }
  }
  return {
    handle,
    fetch: (url, init) => {
      const request = new Request(url, init)
      return Promise.race([handle(request), rejectWhenGivenUp(request.signal)])
    },
  }
}

async function answer(desk: Desk, request: Request): Promise<Response> {
  const [, place = '', id = ''] = new URL(request.url).pathname.split('/')
  if (place === 'issued') return answerPage(desk, request)
  const credentials = readCredentials(request.headers)
  if (credentials === 'missing' || credentials === 'weak_key') return refuse(401, `${credentials}_program`)
  const isInquiry = request.method === 'GET' && place === 'attempts'
  if (!isInquiry && request.method !== 'POST') return refuse(404, 'unknown_path')
  const body = isInquiry ? { attempt_id: id } : await readBody(request)
  const programId = await desk.programs.idOf(credentials)
  if (isInquiry) return inquire(desk, programId, readAttemptId(body, 'attempt_id'))
  if (place === 'balances') return showBalance(desk, programId, body)
  const performed = await perform(desk, place, body, programId)
  return performed ? respond(desk, performed) : refuse(404, 'unknown_path')
}

async function perform(desk: Desk, place: string, body: Body, programId: string): Promise<Performed | null> {
  const attempt = { ...readAttempt(body), programId }
  switch (place) {
    case 'cards':
      return issue(desk, {
        ...attempt,
        ...readMoney(body),
        theme: readText(body, 'theme', 200) ?? '',
        externalIdentifier: readText(body, 'external_identifier', 200),
        validMonths: readValidMonths(body),
      })
    case 'activations': {
      const money = readMoneyOrNull(body)
      return activate(desk, { ...attempt, ...readCard(body), money, validMonths: readValidMonths(body) })
    }
    case 'loads': {
      const money = readMoney(body)
      return load(desk, { ...attempt, ...readCard(body), money, validMonths: readValidMonths(body) })
    }
    case 'holds':
      return take(desk, 'hold', { ...attempt, ...readMoney(body), ...readCard(body) })
    case 'redemptions': {
      const holdId = readId(body, 'hold')
      if (holdId !== null) return takeHeld(desk, { ...attempt, ...readMoney(body), holdId })
      return take(desk, 'redeem', { ...attempt, ...readMoney(body), ...readCard(body) })
    }
    case 'releases':
      return release(desk, { ...attempt, holdId: readId(body, 'hold') ?? missing('hold') })
    case 'refunds':
    case 'reversals':
      return giveBack(desk, {
        ...attempt,
        ...readMoney(body),
        operation: place === 'refunds' ? 'refund' : 'reverse',
        redemptionId: readId(body, 'redemption'),
        redemptionAttemptId: readAttemptId(body, 'redemption_attempt_id'),
      })
    default:
      return null
  }
}

/** The outcome of an attempt. One that has not arrived is closed, and refused if it still arrives. */
async function inquire(desk: Desk, programId: string, attemptId: string): Promise<Response> {
  const find = () => ledger.find(desk.pool, { programId, attemptId })
  let known = await find()
  if (!known) {
    await ledger.close(desk.pool, { programId, attemptId }, desk.clock())
    known = await find()
  }
  if (known === 'closed' || !known) return refuse(404, 'attempt_closed')
  return Response.json(show(desk, known))
}

async function showBalance(desk: Desk, programId: string, body: Body): Promise<Response> {
  const { cardId, refusal } = await identify(desk, { ...readCard(body), programId, isPinNeeded: true })
  if (refusal) return Response.json(showRefusal(refusal))
  const card = await cards.read(desk.pool, cardId)
  const verdict = judgeUse(card, desk.clock())
  if (verdict.status === 'refused') return Response.json(showRefusal(verdict))
  const { balance, currency, expiresAt } = card
  return Response.json({ status: 'known', balance, currency, expires_at: expiresAt?.toISOString() ?? null })
}

function respond(desk: Desk, performed: Performed): Response {
  if (performed.result === 'operation') return Response.json(show(desk, performed.operation))
  return refuse(performed.result === 'attempt_closed' ? 409 : 422, performed.result)
}

function show(
  desk: Desk,
  { operation, status, id, code, rawCode, rawMessage, expiresAt }: Operation,
): object {
  if (code !== null) return { operation, reference: id, ...showRefusal({ code, rawCode, rawMessage }) }
  return {
    operation,
    status,
    reference: id,
    expires_at: expiresAt?.toISOString() ?? null,
    ...(operation === 'issue' && { url: urlOf(desk, id) }),
  }
}

type Reason = { readonly [Field in 'code' | 'rawCode' | 'rawMessage']: Refusal[Field] | string | null }

function showRefusal({ code, rawCode, rawMessage }: Reason): object {
  return { status: 'refused', code, raw_code: rawCode, raw_message: rawMessage }
}

function missing(field: string): never {
  throw new BadRequest(field)
}

function refuse(status: number, error: string, field?: string): Response {
  return Response.json({ error, ...(field !== undefined && { field }) }, { status })
}

function rejectWhenGivenUp(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
