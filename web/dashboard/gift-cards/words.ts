export const LIST = { to: '/gift-cards', label: 'Gift cards' }

export function cardName({ last4 }: { readonly last4: string }): string {
  return `Gift card •••• ${last4}`
}
