import type { Locale } from '#domain/locale.ts'

type Texts = { readonly stored: string; readonly notStored: string }

const EN: Texts = { stored: 'Stored', notStored: 'Not stored' }

/** What became of a method that was to be stored, in each language. */
export const RETURN_TEXTS: Readonly<Record<Locale, Texts>> = {
  en: EN,
  'en-GB': EN,
  de: { stored: 'Gespeichert', notStored: 'Nicht gespeichert' },
  fr: { stored: 'Enregistré', notStored: 'Non enregistré' },
  es: { stored: 'Guardado', notStored: 'No guardado' },
  pt: { stored: 'Guardado', notStored: 'Não guardado' },
  'pt-BR': { stored: 'Salvo', notStored: 'Não salvo' },
  it: { stored: 'Salvato', notStored: 'Non salvato' },
  nl: { stored: 'Opgeslagen', notStored: 'Niet opgeslagen' },
  pl: { stored: 'Zapisano', notStored: 'Nie zapisano' },
  sv: { stored: 'Sparat', notStored: 'Inte sparat' },
  ja: { stored: '保存しました', notStored: '保存されませんでした' },
  zh: { stored: '已保存', notStored: '未保存' },
  ar: { stored: 'تم الحفظ', notStored: 'لم يتم الحفظ' },
}
