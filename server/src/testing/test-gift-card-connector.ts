import type {
  ActivateAnswer,
  BalanceAnswer,
  GiftCardAnswer,
  GiftCardConnector,
  GiftCardErrorCode,
  GiftCardRefused,
  IssueAnswer,
  PresentedCard,
} from '#connectors/contract/gift-card.ts'

export const EXPIRES_AT = '2040-01-31T00:00:00.000Z'

type Approved = Extract<GiftCardAnswer | ActivateAnswer | IssueAnswer, { readonly outcome: 'approved' }>

/** The answer to each attempt, and how often it was sent. */
export const attemptsMade = new Map<string, { readonly answer: Approved; readonly times: number }>()

/**
 * Does what the PIN of a card, or the theme of an issuance, says in words: `holds 500`, `refuse
 * expired_card`, `past`, `echo`, `break`, `stall` without doing anything, and `lose` after doing it.
 */
export const testGiftCard: GiftCardConnector = {
  manifest: {
    id: 'test-gift-card',
    displayName: 'Test gift card',
    fields: [field('account', { isRequired: true }), field('api_key', { isSecret: true })],
    isSimulator: true,
  },
  balance: async ({ card }): Promise<BalanceAnswer> => {
    const [act, word] = wordsOf(card)
    if (act === 'holds') return known(Number(word))
    if (act === 'past') return { ...known(500), expiresAt: '2020-01-31T00:00:00.000Z' }
    if (act === 'forever') return { ...known(500), expiresAt: null }
    return (await trouble(card, act, word)) ?? known(1000)
  },
  redeem: async ({ attemptId, card }) => {
    const [act, word] = wordsOf(card)
    return (
      (await trouble(card, act, word)) ??
      done(attemptId, act, { outcome: 'approved', reference: `r-${attemptId}` })
    )
  },
  refund: async ({ attemptId }) => done(attemptId, '', { outcome: 'approved', reference: `b-${attemptId}` }),
  reverse: async ({ attemptId }) => done(attemptId, '', { outcome: 'approved', reference: `v-${attemptId}` }),
  activate: async ({ attemptId, card }): Promise<ActivateAnswer> => {
    const [act, word] = wordsOf(card)
    const answer = { outcome: 'approved', reference: `a-${attemptId}`, expiresAt: EXPIRES_AT } as const
    return (await trouble(card, act, word)) ?? done(attemptId, act, answer)
  },
  issue: async ({ attemptId, theme }): Promise<IssueAnswer> => {
    const [act, word] = theme.split(' ')
    const url = `https://cards.example.com/${attemptId}`
    const answer = { outcome: 'approved', reference: `i-${attemptId}`, url } as const
    return (await trouble(null, act, word)) ?? done(attemptId, act, answer)
  },
  sync: async ({ attemptId }) => attemptsMade.get(attemptId)?.answer ?? { outcome: 'not_found' },
}

/** Supports only balances, redemptions and refunds. */
export const plainGiftCard: GiftCardConnector = {
  manifest: { ...testGiftCard.manifest, id: 'plain-gift-card', displayName: 'Plain gift card', fields: [] },
  balance: testGiftCard.balance,
  redeem: testGiftCard.redeem,
  refund: testGiftCard.refund,
  reverse: testGiftCard.reverse,
  sync: testGiftCard.sync,
}

function known(balance: number) {
  return { outcome: 'known', balance, currency: 'USD', expiresAt: EXPIRES_AT } as const
}

function wordsOf({ pin }: PresentedCard): string[] {
  return (pin?.use((bytes) => bytes.toString()) ?? '').split(' ')
}

async function trouble(
  card: PresentedCard | null,
  act = '',
  word = '',
): Promise<GiftCardRefused | undefined> {
  switch (act) {
    case 'refuse':
      return refused(word as GiftCardErrorCode, `no: ${word}`)
    case 'echo':
      return refused(
        'invalid_gift_card',
        `no card ${card?.number.use(String)} with PIN ${card?.pin?.use(String)}`,
      )
    case 'break':
      throw new Error(`garbage about ${card?.number.use(String)}`)
    case 'stall':
      return new Promise(() => {})
    default:
      return undefined
  }
}

async function done<Answer extends Approved>(
  attemptId: string,
  act: string | undefined,
  answer: Answer,
): Promise<Answer> {
  const before = attemptsMade.get(attemptId)
  attemptsMade.set(attemptId, { answer, times: (before?.times ?? 0) + 1 })
  return act === 'lose' ? new Promise(() => {}) : answer
}

function refused(code: GiftCardErrorCode, rawMessage: string): GiftCardRefused {
  return { outcome: 'refused', code, rawCode: 'E42', rawMessage }
}

function field(key: string, rest: Partial<GiftCardConnector['manifest']['fields'][number]>) {
  return {
    key,
    displayName: key,
    isRequired: false,
    format: 'text',
    isSecret: false,
    isVerifiable: false,
    ...rest,
  } as const
}
