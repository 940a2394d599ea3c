import type { Locale } from '#domain/locale.ts'

type Texts = { readonly store: string; readonly simulated: string }

const EN: Texts = { store: 'Store your account', simulated: 'A simulated wallet. No money moves.' }

/** What only the page of the simulated wallet says, in each language. */
export const SIMULATED_TEXTS: Readonly<Record<Locale, Texts>> = {
  en: EN,
  'en-GB': EN,
  de: { store: 'Ihr Konto speichern', simulated: 'Eine simulierte Wallet. Es fließt kein Geld.' },
  fr: { store: 'Enregistrer votre compte', simulated: 'Un portefeuille simulé. Aucun argent ne circule.' },
  es: { store: 'Guarde su cuenta', simulated: 'Un monedero simulado. No se mueve dinero.' },
  pt: { store: 'Guardar a sua conta', simulated: 'Uma carteira simulada. Nenhum dinheiro é movimentado.' },
  'pt-BR': { store: 'Salvar sua conta', simulated: 'Uma carteira simulada. Nenhum dinheiro é movimentado.' },
  it: { store: 'Salva il tuo conto', simulated: 'Un portafoglio simulato. Non si muove denaro.' },
  nl: { store: 'Sla uw rekening op', simulated: 'Een gesimuleerde wallet. Er wordt geen geld verplaatst.' },
  pl: { store: 'Zapisz swoje konto', simulated: 'Symulowany portfel. Żadne pieniądze nie są przekazywane.' },
  sv: { store: 'Spara ditt konto', simulated: 'En simulerad plånbok. Inga pengar flyttas.' },
  ja: {
    store: 'アカウントを保存する',
    simulated: 'シミュレーション上のウォレットです。実際のお金は動きません。',
  },
  zh: { store: '保存您的账户', simulated: '这是模拟的钱包。不会转移任何资金。' },
  ar: { store: 'احفظ حسابك', simulated: 'محفظة تجريبية. لا تنتقل أي أموال.' },
}
