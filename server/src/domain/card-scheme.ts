/** Every card scheme of the API, with the name people know it by. */
export const CARD_SCHEMES = {
  accel: 'Accel',
  amex: 'American Express',
  bancontact: 'Bancontact',
  'carte-bancaire': 'Carte Bancaire',
  cirrus: 'Cirrus',
  culiance: 'Culiance',
  dankort: 'Dankort',
  'diners-club': 'Diners Club',
  discover: 'Discover',
  'eftpos-australia': 'eftpos Australia',
  elo: 'Elo',
  hipercard: 'Hipercard',
  jcb: 'JCB',
  maestro: 'Maestro',
  mastercard: 'Mastercard',
  mir: 'Mir',
  nyce: 'NYCE',
  other: 'Other',
  pulse: 'PULSE',
  rupay: 'RuPay',
  star: 'STAR',
  uatp: 'UATP',
  unionpay: 'UnionPay',
  visa: 'Visa',
} as const

export type CardScheme = keyof typeof CARD_SCHEMES
