import { expect, test } from 'vitest'
import type { Manifest } from './manifest.ts'
import type { Instrument, InstrumentKind, OfferedToken } from './orders.ts'
import { CARD_NUMBER, card } from './samples.ts'
import { secret } from './secret.ts'
import { checkAnswer } from './suite-answers.ts'
import type { Stage } from './suite-stage.ts'

type Sample = { readonly name: string; readonly instrument: Instrument }

/** Nothing reads them but the provider. */
const WALLET_TOKENS = {
  applepay: { paymentData: { version: 'EC_v1', data: 'b3BhcXVl', signature: 'c2ln', header: {} } },
  googlepay: { protocolVersion: 'ECv2', signature: 'c2ln', signedMessage: '{"encryptedMessage":"b3BhcXVl"}' },
  paze: {},
} as const

const CRYPTOGRAM = 'AgAAAAAABk4DWZ4C28yUQAAAAAA='

/** What wallets and schemes give in place of a typed card. */
const SAMPLES: Partial<Record<InstrumentKind, readonly Sample[]>> = {
  card: [
    {
      name: 'a card number of Google Pay',
      instrument: card({ source: 'googlepay_pan_only', securityCode: null }),
    },
  ],
  'network-token': [
    { name: 'a network token', instrument: networkToken(null) },
    { name: 'an opened token of Apple Pay', instrument: networkToken('apple-pay') },
    { name: 'an opened token of Google Pay', instrument: networkToken('google-pay') },
  ],
  wallet: [
    { name: 'the token of Apple Pay', instrument: wallet('applepay') },
    { name: 'the token of Google Pay', instrument: wallet('googlepay') },
  ],
}

function networkToken(cardSource: (Instrument & { kind: 'network-token' })['cardSource']): Instrument {
  return {
    kind: 'network-token',
    source: 'network-token',
    token: secret(CARD_NUMBER),
    expirationDate: '12/35',
    cryptogram: secret(CRYPTOGRAM),
    eci: '05',
    scheme: 'visa',
    cardholderName: null,
    cardSource,
  }
}

function wallet(name: (Instrument & { kind: 'wallet' })['wallet']): Instrument {
  return {
    kind: 'wallet',
    wallet: name,
    token: secret(JSON.stringify(WALLET_TOKENS[name])),
    checkoutToken: null,
    cardholderName: null,
    cardScheme: 'Visa',
    cardType: null,
    assurance: null,
  }
}

/** `authorize` and `tokenize` are tested with what is not here. */
export function samplesFor({ instruments }: Manifest): readonly Sample[] {
  return instruments.flatMap((kind) => SAMPLES[kind] ?? [])
}

export function describeInstruments(stage: Stage, samples: readonly Sample[]): void {
  test.for(samples)('is paid with $name', async ({ instrument: sample }, { skip }) => {
    const { connector, bench } = stage
    const isOwn = sample.kind === 'wallet' && bench.walletToken
    const instrument = isOwn ? { ...sample, token: secret(bench.walletToken) } : sample
    const { ask, ...attempt } = stage.authorization({ instrument })
    const obstacle = instrument.kind === 'card' ? null : connector.obstacleTo?.(instrument as OfferedToken)
    if (typeof obstacle === 'string') {
      const unasked = stage.linkWith(() => () => Promise.reject(new Error('a request was sent')))
      expect(await ask(unasked)).toMatchObject({ outcome: 'failed' })
      skip(obstacle)
    }

    const answer = await stage.finished(attempt, await ask())

    checkAnswer(answer)
    expect(answer.outcome).toBe('approved')
    expect(await stage.bench.effectsOf(attempt.attemptId)).toBe(1)
  })
}
