import { Masked } from '#vault'

/**
 * What makes two bank accounts the same: scheme and numbers. The name of the holder can be spelled in several
 * ways, and the BIC of an IBAN can be left out.
 */
export function identityOf(payload: Masked): Masked {
  return payload.use((bytes) => {
    const { scheme, routing_number, account_number } = JSON.parse(bytes.toString())
    return new Masked([scheme, scheme === 'sepa' ? [] : routing_number, account_number].flat().join(' '))
  })
}
