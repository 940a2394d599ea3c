import type { CardScheme } from './card-scheme.ts'

/** Numbers that begin with a digit string from `from` to `to`, both included and of the same length. */
export type CardRange = {
  readonly from: string
  readonly to: string
  readonly scheme: CardScheme
  readonly additional: readonly CardScheme[]
}

/**
 * Who numbers are issued under. Where ranges overlap, the longer prefix wins, so a scheme's block can be written as a
 * whole and what others hold inside it beside it.
 *
 * Sources: ISO/IEC 7812 and its public summary ("Payment card number", Wikipedia), the package credit-card-type 10.3.0
 * (unionpay, elo, hipercard, maestro), the Discover network's list (jcb and diners below 35), NPCI (rupay), and the test
 * numbers that Adyen, Stripe, Lyra, Ingenico, Cybersource and Mastercard Send publish for co-badged cards and American
 * debit networks.
 *
 * accel, culiance and eftpos-australia have no entry of their own: online, they are only ever the second mark on a card of
 * another scheme. Cirrus is on cards of Maestro for cash alone, so nobody can choose to pay with it. An operator's own BIN
 * table can still name all of them.
 */
export const CARD_RANGES: readonly CardRange[] = [
  ...ranges('uatp', '1'),
  ...ranges('visa', '4'),
  ...ranges('mastercard', '51-55 2221-2720'),
  ...ranges('amex', '34 37'),
  ...ranges('diners-club', '300-305 3095 36 38-39'),
  ...ranges('jcb', '1800 2131 3088-3094 3096-3102 3112-3120 3158-3159 3337-3349 3528-3589'),
  ...ranges('discover', '6011 644-649 65'),
  ...ranges('unionpay', '62 810-816 8170-8171'),
  // UnionPay and Discover accept each other's cards here.
  ...ranges('unionpay', '622126-622925', ['discover']),
  ...ranges('mir', '2200-2204'),
  // 353 and 356 hold cards of both RuPay and JCB, and also cards of JCB alone: the number does not tell them apart.
  ...ranges('rupay', '508500-508999 606985-607984 608001-608500 652150-653149 8172-8199 8200-8201'),
  // Mastercard assigns 6 as a whole to Maestro; what other schemes took of it stands in their own lines.
  ...ranges('maestro', '493698 50 56-59 6'),
  ...ranges(
    'elo',
    '504175 506699-506778 509 627780 636297 636368 650031-650033 650035-650051 650405-650439 650485-650538 ' +
      '650541-650598 650700-650718 650720-650727 650901-650978 651652-651679 655000-655019 655021-655058',
  ),
  ...ranges('elo', '401178-401179 431274 438935 451416 457393 457631-457632', ['visa']),
  // Hiper is the same issuer's older brand and runs on the same network.
  ...ranges('hipercard', '606282 637095 63737423 63743358 637568 637599 637609 637612'),
  ...ranges('dankort', '5019'),
  ...ranges('visa', '4571', ['dankort']),
  ...ranges('bancontact', '6703 606005', ['maestro']),
  ...ranges('visa', '479658 487104', ['bancontact']),
  ...ranges('mastercard', '512788', ['bancontact']),
  ...ranges('carte-bancaire', '436000 501767'),
  // The blocks that French banks issue from.
  ...ranges('visa', '4970-4979 403550 40000025', ['carte-bancaire']),
  ...ranges('mastercard', '5131-5136 55555525', ['carte-bancaire']),
  ...ranges('visa', '401795 468738', ['eftpos-australia']),
  ...ranges('star', '500853'),
  ...ranges('pulse', '602987'),
  ...ranges('nyce', '501565'),
  ...ranges('visa', '400123', ['star']),
  // Verve, Naranja, Forbrugsforeningen: schemes that the API has no word for.
  ...ranges('other', '506099-506198 507865-507964 650002-650027 589562 600722'),
]

function ranges(scheme: CardScheme, list: string, additional: readonly CardScheme[] = []): CardRange[] {
  return list.split(' ').map((text) => {
    const [from = '', to = from] = text.split('-')
    return { from, to, scheme, additional }
  })
}
