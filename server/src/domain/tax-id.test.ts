import { expect, test } from 'vitest'
import { type TaxIdKind, taxIdFault } from './tax-id.ts'

test.each<[TaxIdKind, string]>([
  ['br.cpf', '529.982.247-25'],
  ['br.cpf', '52998224725'],
  ['br.cpf', '12345678909'],
  ['br.cnpj', '11.222.333/0001-81'],
  ['br.cnpj', '12.ABC.345/01DE-35'],
  ['us.ein', '12-3456789'],
  ['gb.vat', 'GB 980 7806 84'],
  ['gb.vat', '980780684'],
  ['gb.vat', 'GBGD001'],
  ['eu.vat', 'DE123456789'],
  ['eu.vat', 'NL 0012345678 B01'],
  ['eu.vat', 'IE1234567WA'],
  ['in.gst', '27AAPFU0939F1ZV'],
  ['in.pan', 'ABCPE1234F'],
  ['in.pan', 'abcpe1234f'],
  ['au.abn', '51 824 753 556'],
  ['es.cif', 'A58818501'],
  ['es.cif', 'B-58378431'],
  ['mx.rfc', 'GODE561231GR8'],
  ['mx.rfc', 'Ñ&A010101AB1'],
  ['mx.curp', 'HEGG560427MVZRRL04'],
  ['ch.vat', 'CHE-123.456.788 MWST'],
  ['no.vat', '123456789MVA'],
  ['cl.tin', '12.345.678-K'],
  ['ar.cuit', '20-12345678-6'],
  ['ca.bn', '123456789RT0001'],
  ['co.passport', 'anything at all'],
])('%s may be %s', (kind, value) => {
  expect(taxIdFault(kind, value)).toBeUndefined()
})

test.each<[TaxIdKind, string, string]>([
  ['br.cpf', '52998224726', 'has wrong check digits'],
  ['br.cpf', '52998224735', 'has wrong check digits'],
  ['br.cpf', '111.111.111-11', 'has wrong check digits'],
  ['br.cpf', '5299822472', 'is not 11 digits'],
  ['br.cnpj', '11222333000182', 'has wrong check digits'],
  ['br.cnpj', '12ABC34501DE36', 'has wrong check digits'],
  ['br.cnpj', '1122233300018', 'is not 12 letters or digits and 2 check digits'],
  ['us.ein', '12345678', 'is not 9 digits'],
  ['gb.vat', 'GB12345678', 'is not 9 or 12 digits, or GD or HA and 3 digits, with or without GB'],
  ['eu.vat', 'US123456789', "is not a member state's prefix and 2 to 13 letters or digits"],
  ['eu.vat', '123456789', "is not a member state's prefix and 2 to 13 letters or digits"],
  ['in.gst', '27AAPFU0939F1Z', 'is not 2 digits and 13 letters or digits'],
  ['in.pan', 'ABCPE12345', 'is not 5 letters, 4 digits and a letter'],
  ['au.abn', '51824753557', 'has wrong check digits'],
  ['es.cif', 'A5881850', 'is not a letter or digit, 7 digits, and a letter or digit'],
  ['mx.rfc', 'GO561231GR8', 'is not 3 or 4 letters, a date of 6 digits, and 3 letters or digits'],
])('%s cannot be %s', (kind, value, fault) => {
  expect(taxIdFault(kind, value)).toBe(fault)
})
