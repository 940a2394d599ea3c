import { writeHelp } from '../page.ts'
import { listenOn } from '../serve.ts'
import { type Body, errorsIn, valueAt } from './check-request.ts'
import { CARDS, jwt, openIssuers, page, showDevice } from './issuers.ts'

/** An account that everyone may use: there is nothing behind it. */
export const STAND_IN_ACCOUNT = {
  username: 'stand-in',
  password: 'stand-in-password',
  entity: 'default',
} as const

const MEDIA = 'application/vnd.worldpay.verifications.customers-v3.hal+json'
const OPERATION = /^\/verifications\/customers\/3ds\/(deviceDataInitialization|authentication|verification)$/

/**
 * The 3DS API of Access Worldpay (v3) by its published contract: device data, authentication, challenge, verification, with the pages
 * that the buyer's browser sees. README.md has the rules, with their sources.
 */
export function createStandIn({ now }: { readonly now: () => Date }) {
  const issuers = openIssuers({ now })
  const asked: { readonly operation: string; readonly body: Body }[] = []

  const answer = async (request: Request): Promise<Response> => {
    const { pathname, origin } = new URL(request.url)
    if (pathname === '/' && request.method === 'GET') return showHelp(origin)
    if (pathname === '/_stand-in/books')
      return Response.json(asked.map(({ operation, body }) => masked(operation, body)))
    if (pathname === '/ddc') return showDevice(await formOf(request))
    if (pathname === '/challenge') return issuers.showChallenge(await formOf(request))
    if (pathname === '/decide') return issuers.decide(await formOf(request))
    const [, operation] = OPERATION.exec(pathname) ?? []
    if (!operation) return failure(404, 'resourceNotFound')
    const refusal = refuse(request)
    if (refusal) return refusal
    const body = parse(await request.text())
    if (!body) return failure(400, 'bodyIsNotJson')
    const validationErrors = errorsIn(operation, body)
    if (validationErrors.length > 0) return failure(400, 'bodyDoesNotMatchSchema', { validationErrors })
    if (valueAt(body, 'merchant.entity') !== STAND_IN_ACCOUNT.entity)
      return failure(400, 'bodyDoesNotMatchSchema', {
        validationErrors: [
          { errorName: 'fieldHasInvalidValue', jsonPath: '$.merchant.entity', message: 'Unknown entity' },
        ],
      })
    asked.push({ operation, body })
    const { transactionReference } = body
    const told = { outcome: 'initialized', transactionReference, ...tell(operation, body, origin) }
    return Response.json(told, { headers: { 'content-type': MEDIA } })
  }

  const tell = (operation: string, body: Body, origin: string): object => {
    if (operation === 'deviceDataInitialization')
      return { deviceDataCollection: { jwt: jwt(), url: `${origin}/ddc` } }
    return operation === 'authentication' ? issuers.authenticate(body, origin) : issuers.verify(body)
  }

  return {
    asked,
    challenges: issuers.challenges as ReadonlyMap<string, object>,
    /** What the pages do, without a browser. */
    decide: (reference: string, decision: 'approve' | 'refuse') => {
      issuers.decide(new URLSearchParams({ reference, decision }))
      return { TransactionId: reference, Response: '', MD: '' }
    },
    fetch: (input: string | URL | Request, init?: RequestInit) => answer(new Request(input, init)),
    listen: (port: number) => listenOn(port, answer),
  }
}

function refuse(request: Request): Response | null {
  const { username, password } = STAND_IN_ACCOUNT
  const expected = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  if (request.headers.get('authorization') !== expected) return failure(401, 'accessDenied')
  if (request.method !== 'POST') return failure(405, 'methodNotAllowed', { allowedMethods: ['POST'] })
  const wrong = ['content-type', 'accept'].find((name) => request.headers.get(name) !== MEDIA)
  return wrong ? failure(400, 'headerHasInvalidValue', { headerName: wrong }) : null
}

function failure(status: number, errorName: string, more: object = {}): Response {
  return Response.json(
    { errorName, message: errorName, ...more },
    { status, headers: { 'content-type': MEDIA } },
  )
}

async function formOf(request: Request): Promise<URLSearchParams> {
  return new URLSearchParams(await request.text())
}

function parse(text: string): Body | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Body) : undefined
  } catch {
    return undefined
  }
}

/** The books show no number of a card. */
function masked(operation: string, body: Body): unknown {
  const text = JSON.stringify({ operation, body }, (name, value: unknown) =>
    name === 'cardNumber' ? '***' : value,
  )
  return JSON.parse(text)
}

function showHelp(origin: string): Response {
  return page(
    writeHelp({
      provider: 'Worldpay',
      service: '3-D Secure service',
      fields: { ...STAND_IN_ACCOUNT, stand_in_url: origin },
      values: [
        ...Object.entries(CARDS).map(([number, says]) => [number, says] as const),
        ['any other card', 'authenticated'],
      ],
      controls: [],
      documentation: 'https://docs.worldpay.com/access/products/3ds',
    }),
  )
}
