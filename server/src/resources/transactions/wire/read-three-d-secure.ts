import type { ErrorDetail } from '#platform/http/errors.ts'
import {
  type NewThreeDSecureData,
  ThreeDSecureDataV1,
  ThreeDSecureDataV2,
  type ThreeDSecureRequest,
} from './three-d-secure.ts'
import { complaintsIn } from './variants.ts'

/** Checks `three_d_secure_data` against the version that the caller meant. */
export function checkThreeDSecureData(given: object): ErrorDetail[] {
  return complaintsIn('/three_d_secure_data', isV1(given) ? ThreeDSecureDataV1 : ThreeDSecureDataV2, given)
}

/** Reads the result of an authentication. Call it only for what `checkThreeDSecureData` accepts. */
export function readThreeDSecureData(given: NonNullable<NewThreeDSecureData>): ThreeDSecureRequest {
  return isV1(given) ? { kind: 'v1', body: given } : { kind: 'v2', body: given }
}

/** Only version 1 has these fields. `version` itself may be wrong. */
function isV1<Given extends object>(given: Given): given is Extract<Given, { xid: string }> {
  return 'xid' in given || 'cavv_algorithm' in given
}
