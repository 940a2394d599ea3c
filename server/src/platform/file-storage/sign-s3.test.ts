import { expect, test } from 'vitest'
import { EMPTY_SHA256, presignedUrl, signedHeaders } from './sign-s3.ts'

/** The examples with which Amazon documents version 4 of the signature. */
const CREDENTIALS = {
  accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}
const NOW = new Date('2013-05-24T00:00:00Z')
const BUCKET = 'https://examplebucket.s3.amazonaws.com'

test('signs headers as the published example does', () => {
  const url = new URL(`${BUCKET}/test.txt`)

  const headers = signedHeaders(
    { method: 'GET', url, headers: { range: 'bytes=0-9' }, bodySha256: EMPTY_SHA256 },
    CREDENTIALS,
    NOW,
  )

  expect(headers['authorization']).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,' +
      'SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,' +
      'Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  )
})

test('signs a body and a key with special signs as the published example does', () => {
  const url = new URL(`${BUCKET}/test$file.text`)
  const headers = { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' }
  const bodySha256 = '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072'

  const signed = signedHeaders({ method: 'PUT', url, headers, bodySha256 }, CREDENTIALS, NOW)

  expect(signed['authorization']).toMatch(
    /Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd$/,
  )
})

test('signs an address as the published example does', () => {
  const url = presignedUrl(
    { url: new URL(`${BUCKET}/test.txt`), seconds: 86_400, query: {} },
    CREDENTIALS,
    NOW,
  )

  expect(url).toBe(
    `${BUCKET}/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256` +
      '&X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request' +
      '&X-Amz-Date=20130524T000000Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host' +
      '&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
  )
})
