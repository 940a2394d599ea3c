import { randomInt } from 'node:crypto'
import { PasskeyDevice } from '#testing/passkey-device.ts'
import { call, type Place } from './product.ts'

type Header = readonly [name: string, value: string]

/** A user who is signed in, made through the API alone: invited, and in with a passkey. */
export type UserSession = {
  readonly headers: Header[]
  /** Calls an operation as the user. */
  readonly ask: (route: string, body?: object) => Promise<Record<string, never>>
  /** Signs the user in once more, elsewhere. */
  readonly signInElsewhere: () => Promise<void>
  readonly device: (options: object) => object
}

export async function openUserSession({ url, token }: Place): Promise<UserSession> {
  const device = new PasskeyDevice()
  const from = newAddress()
  // People open the dashboard by this name: passkeys need one.
  const origin = url.replace('127.0.0.1', 'localhost')
  const email_address = `${crypto.randomUUID()}@example.com`
  const invited = await send(url, 'POST /users', [['authorization', `Bearer ${token}`]], {
    ...{ email_address, name: 'Walk', role_ids: ['administrator'] },
  })
  const link = String(invited.body['invitation_url']).split('#')[1]
  const options = (await send(url, 'POST /auth/invitations/options', [from], { token: link })).body
  const accepted = await send(url, 'POST /auth/invitations/accept', [from], {
    token: link,
    challenge_id: options['challenge_id'],
    passkey: device.register(options['passkey'] as never, { origin }),
  })
  const headers: Header[] = [['cookie', accepted.cookie], ['sec-fetch-site', 'same-origin'], from]
  return {
    headers,
    ask: async (route, body) => (await send(url, route, headers, body)).body as Record<string, never>,
    signInElsewhere: async () => {
      const asked = (await send(url, 'POST /auth/sessions/options', [from])).body
      const passkey = device.sign(asked['passkey'] as never, { origin })
      await send(url, 'POST /auth/sessions', [from], { challenge_id: asked['challenge_id'], passkey })
    },
    device: (creation) => new PasskeyDevice().register(creation as never, { origin }),
  }
}

/** An address of its own, for a service with `TRUST_PROXY`: failed sign-ins are counted for each address. */
export function newAddress(): Header {
  return ['x-forwarded-for', ['10', randomInt(256), randomInt(256), randomInt(256)].join('.')]
}

async function send(url: string, route: string, headers: readonly Header[], body?: object) {
  const answer = await call({ url }, route, body, Object.fromEntries(headers))
  if (answer.status >= 300)
    throw new Error(`${route} was answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  const [cookie = ''] = (answer.headers.getSetCookie()[0] ?? '').split(';')
  return { cookie, body: (answer.body ?? {}) as Record<string, unknown> }
}
