export const LOCALES = ['en', 'en-GB', 'es', 'pt', 'pt-BR'] as const
export type Locale = (typeof LOCALES)[number]

export function isLocale(text: string): text is Locale {
  return (LOCALES as readonly string[]).includes(text)
}

/** Everything that the page says, in one language. */
export type Texts = {
  readonly order: string
  readonly total: string
  readonly card: string
  readonly number: string
  readonly expiry: string
  readonly expiryExample: string
  readonly code: string
  readonly codeHint: string
  readonly pay: (amount: string) => string
  readonly stored: string
  readonly validUntil: (time: string) => string
  readonly terms: string
  readonly backTo: (merchant: string) => string
  readonly check: string
  readonly wrongNumber: string
  readonly wrongExpiry: string
  readonly expiredCard: string
  readonly wrongCode: string
  readonly declined: string
  readonly noFunds: string
  readonly notApproved: string
  readonly failed: string
  readonly outdated: string
  readonly notCharged: string
  readonly paid: string
  readonly paidText: string
  readonly goingBack: string
  readonly processing: string
  readonly processingText: string
  readonly approve: string
  readonly approveText: string
  readonly expired: string
  readonly expiredText: string
  readonly unknown: string
  readonly unknownText: string
  readonly tooMany: string
  readonly tooManyText: string
  readonly broken: string
  readonly brokenText: string
}

const EN: Texts = {
  order: 'Your order',
  total: 'Total',
  card: 'Pay by card',
  number: 'Card number',
  expiry: 'Expiry date',
  expiryExample: 'MM/YY',
  code: 'Security code',
  codeHint: '3 or 4 digits on the card',
  pay: (amount) => `Pay ${amount}`,
  stored: 'The shop stores your card for later payments.',
  validUntil: (time) => `Can be paid until ${time}.`,
  terms: 'Terms and conditions',
  backTo: (merchant) => `Back to ${merchant}`,
  check: 'Please check the marked fields and enter your card again.',
  wrongNumber: 'Check the card number for a typing mistake.',
  wrongExpiry: 'Enter month and year, such as 09/30.',
  expiredCard: 'This card has expired. Use another one.',
  wrongCode: 'Check the security code.',
  declined: 'Your bank declined the payment. Check your details or use another card.',
  noFunds: 'There is not enough money on this card. Use another one.',
  notApproved: 'The payment was not approved. Try again or use another card.',
  failed: 'The payment did not work. Try again or use another card.',
  outdated: 'There was another attempt to pay in the meantime. Please enter your card again.',
  notCharged: 'Nothing was charged for this attempt.',
  paid: 'Paid',
  paidText: 'Thank you. This payment is complete.',
  goingBack: 'You will be taken back to the shop in a moment.',
  processing: 'Payment in progress',
  processingText: 'A payment is being processed. This page shows the outcome as soon as it is known.',
  approve: 'Approve your payment',
  approveText: 'Your bank asks you to approve this payment.',
  expired: 'This link has expired',
  expiredText: 'It can no longer be paid. Ask the shop for a new link.',
  unknown: 'This link does not work',
  unknownText: 'It may be incomplete. Ask the shop for a new link.',
  tooMany: 'Too many attempts',
  tooManyText: 'Wait a minute, then open this page again.',
  broken: 'This did not work',
  brokenText: 'Open this page again in a moment. It shows whether the payment was made.',
}

const ES: Texts = {
  order: 'Su pedido',
  total: 'Total',
  card: 'Pagar con tarjeta',
  number: 'Número de tarjeta',
  expiry: 'Fecha de caducidad',
  expiryExample: 'MM/AA',
  code: 'Código de seguridad',
  codeHint: '3 o 4 dígitos de la tarjeta',
  pay: (amount) => `Pagar ${amount}`,
  stored: 'La tienda guarda su tarjeta para pagos futuros.',
  validUntil: (time) => `Se puede pagar hasta el ${time}.`,
  terms: 'Términos y condiciones',
  backTo: (merchant) => `Volver a ${merchant}`,
  check: 'Revise los campos marcados e introduzca su tarjeta de nuevo.',
  wrongNumber: 'Revise el número de la tarjeta: parece tener un error.',
  wrongExpiry: 'Introduzca mes y año, por ejemplo 09/30.',
  expiredCard: 'Esta tarjeta ha caducado. Use otra.',
  wrongCode: 'Revise el código de seguridad.',
  declined: 'Su banco ha rechazado el pago. Revise los datos o use otra tarjeta.',
  noFunds: 'No hay saldo suficiente en esta tarjeta. Use otra.',
  notApproved: 'El pago no se ha aprobado. Inténtelo de nuevo o use otra tarjeta.',
  failed: 'El pago no ha funcionado. Inténtelo de nuevo o use otra tarjeta.',
  outdated: 'Mientras tanto hubo otro intento de pago. Introduzca su tarjeta de nuevo.',
  notCharged: 'No se ha cobrado nada por este intento.',
  paid: 'Pagado',
  paidText: 'Gracias. El pago se ha completado.',
  goingBack: 'En un momento volverá a la tienda.',
  processing: 'Pago en curso',
  processingText: 'Se está procesando un pago. Esta página mostrará el resultado en cuanto se conozca.',
  approve: 'Apruebe el pago',
  approveText: 'Su banco le pide que apruebe este pago.',
  expired: 'Este enlace ha caducado',
  expiredText: 'Ya no se puede pagar. Pida un enlace nuevo a la tienda.',
  unknown: 'Este enlace no funciona',
  unknownText: 'Puede que esté incompleto. Pida un enlace nuevo a la tienda.',
  tooMany: 'Demasiados intentos',
  tooManyText: 'Espere un minuto y abra esta página de nuevo.',
  broken: 'Algo no ha funcionado',
  brokenText: 'Abra esta página de nuevo en un momento. Mostrará si el pago se ha realizado.',
}

const PT: Texts = {
  order: 'A sua encomenda',
  total: 'Total',
  card: 'Pagar com cartão',
  number: 'Número do cartão',
  expiry: 'Data de validade',
  expiryExample: 'MM/AA',
  code: 'Código de segurança',
  codeHint: '3 ou 4 dígitos no cartão',
  pay: (amount) => `Pagar ${amount}`,
  stored: 'A loja guarda o seu cartão para pagamentos futuros.',
  validUntil: (time) => `Pode ser pago até ${time}.`,
  terms: 'Termos e condições',
  backTo: (merchant) => `Voltar a ${merchant}`,
  check: 'Verifique os campos assinalados e introduza o cartão novamente.',
  wrongNumber: 'Verifique o número do cartão: parece ter um erro.',
  wrongExpiry: 'Introduza mês e ano, por exemplo 09/30.',
  expiredCard: 'Este cartão expirou. Utilize outro.',
  wrongCode: 'Verifique o código de segurança.',
  declined: 'O seu banco recusou o pagamento. Verifique os dados ou utilize outro cartão.',
  noFunds: 'Não há saldo suficiente neste cartão. Utilize outro.',
  notApproved: 'O pagamento não foi aprovado. Tente novamente ou utilize outro cartão.',
  failed: 'O pagamento não funcionou. Tente novamente ou utilize outro cartão.',
  outdated: 'Entretanto houve outra tentativa de pagamento. Introduza o cartão novamente.',
  notCharged: 'Nada foi cobrado por esta tentativa.',
  paid: 'Pago',
  paidText: 'Obrigado. O pagamento está concluído.',
  goingBack: 'Dentro de momentos voltará à loja.',
  processing: 'Pagamento em curso',
  processingText:
    'Um pagamento está a ser processado. Esta página mostra o resultado assim que for conhecido.',
  approve: 'Aprove o pagamento',
  approveText: 'O seu banco pede que aprove este pagamento.',
  expired: 'Esta ligação expirou',
  expiredText: 'Já não pode ser paga. Peça uma nova ligação à loja.',
  unknown: 'Esta ligação não funciona',
  unknownText: 'Pode estar incompleta. Peça uma nova ligação à loja.',
  tooMany: 'Demasiadas tentativas',
  tooManyText: 'Espere um minuto e abra esta página novamente.',
  broken: 'Algo não funcionou',
  brokenText: 'Abra esta página novamente dentro de momentos. Mostrará se o pagamento foi feito.',
}

const PT_BR: Texts = {
  ...PT,
  order: 'Seu pedido',
  stored: 'A loja salva o seu cartão para pagamentos futuros.',
  check: 'Verifique os campos marcados e digite o cartão novamente.',
  backTo: (merchant) => `Voltar para ${merchant}`,
  wrongExpiry: 'Digite mês e ano, por exemplo 09/30.',
  expiredCard: 'Este cartão venceu. Use outro.',
  declined: 'Seu banco recusou o pagamento. Verifique os dados ou use outro cartão.',
  noFunds: 'Não há saldo suficiente neste cartão. Use outro.',
  notApproved: 'O pagamento não foi aprovado. Tente novamente ou use outro cartão.',
  failed: 'O pagamento não funcionou. Tente novamente ou use outro cartão.',
  outdated: 'Enquanto isso, houve outra tentativa de pagamento. Digite o cartão novamente.',
  goingBack: 'Em instantes você voltará para a loja.',
  processing: 'Pagamento em andamento',
  processingText:
    'Um pagamento está sendo processado. Esta página mostra o resultado assim que for conhecido.',
  approveText: 'Seu banco pede que você aprove este pagamento.',
  expired: 'Este link expirou',
  expiredText: 'Não pode mais ser pago. Peça um novo link à loja.',
  unknown: 'Este link não funciona',
  unknownText: 'Pode estar incompleto. Peça um novo link à loja.',
  tooMany: 'Muitas tentativas',
  brokenText: 'Abra esta página novamente em instantes. Ela mostra se o pagamento foi feito.',
}

export const TEXTS: Readonly<Record<Locale, Texts>> = { en: EN, 'en-GB': EN, es: ES, pt: PT, 'pt-BR': PT_BR }

/** The language that the link names, or else the first of the browser's that we speak, or else English. */
export function localeFor(named: string | null, acceptLanguage: string | undefined): Locale {
  if (named !== null && isLocale(named)) return named
  const asked = (acceptLanguage ?? '')
    .split(',')
    .map((part) => part.split(';')[0]?.trim().toLowerCase() ?? '')
  for (const tag of asked) {
    const exact = LOCALES.find((locale) => locale.toLowerCase() === tag)
    const nearest = exact ?? LOCALES.find((locale) => locale === tag.split('-')[0])
    if (nearest) return nearest
  }
  return 'en'
}
