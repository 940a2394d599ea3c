import { Type } from 'typebox'
import { Nullable } from '#platform/http/schemas.ts'
import { Flag, Options, Text } from './fields.ts'

const NuveiAirlineDataOptions = Options('NuveiAirlineDataOptions', {
  seatClass: Text,
  isCardholderTraveling: Flag,
})

export const NuveiOptions = Options('NuveiOptions', {
  customData: Nullable(Type.String({ maxLength: 255 })),
  airlineData: Nullable(NuveiAirlineDataOptions),
})

export const NuveiIDealOptions = Options('NuveiIDealOptions', {
  customData: Nullable(Type.String({ maxLength: 255 })),
})

export const NuveiKlarnaOptions = Options('NuveiKlarnaOptions', {
  customData: Nullable(Type.String({ maxLength: 255 })),
})

export const NuveiPSEOptions = Options('NuveiPSEOptions', {
  userType: Text,
  userFisNumber: Text,
  fiscalNumber: Text,
  bankCode: Text,
})
