import { createPublicKey, type KeyObject } from 'node:crypto'

/**
 * The authorities that sign the wallets' test tokens. Their private keys are public, like this file: only a sandbox trusts them.
 * They take the place of Apple's root and of Google's root signing keys.
 */
/** X.509 in DER, in base64, as all certificates here. Valid from 2020 to 2100. */
export const ROOT_CERTIFICATE =
  'MIIBojCCAUmgAwIBAgIBATAKBggqhkjOPQQDAjA4MRswGQYDVQQKDBJTd2l0Y2h5YXJkIHNhbmRib3gxGTAXBgNVBAMMEFRl' +
  'c3Qgd2FsbGV0IHJvb3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEwMDAxMDEwMDAwMDBaMDgxGzAZBgNVBAoMElN3aXRjaHlhcmQg' +
  'c2FuZGJveDEZMBcGA1UEAwwQVGVzdCB3YWxsZXQgcm9vdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABIkBCv5hlu3I0jP8' +
  'X5lTlTThqDNXybnaS+pNkKDLUrE/8AfEG7b5ygAf0A0DSeDVSJ65sDao8TZr0/NpC5aOBVujQjBAMA8GA1UdEwEB/wQFMAMB' +
  'Af8wDgYDVR0PAQH/BAQDAgEGMB0GA1UdDgQWBBTePTxXb0L8n0uw94beZOScuMjj3DAKBggqhkjOPQQDAgNHADBEAiBeUrp6' +
  'tqlvsTLnMAUpsm/78u5ZKqECrituiM5ntVHlhwIgPXBx5dqZt7FQBq9yqv0uKRlRfc0Ap19uqBbu37YWjB0='

export const INTERMEDIATE_CERTIFICATE =
  'MIIB4TCCAYegAwIBAgIBAjAKBggqhkjOPQQDAjA4MRswGQYDVQQKDBJTd2l0Y2h5YXJkIHNhbmRib3gxGTAXBgNVBAMMEFRl' +
  'c3Qgd2FsbGV0IHJvb3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEwMDAxMDEwMDAwMDBaMEAxGzAZBgNVBAoMElN3aXRjaHlhcmQg' +
  'c2FuZGJveDEhMB8GA1UEAwwYVGVzdCB3YWxsZXQgaW50ZXJtZWRpYXRlMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAETJGu' +
  'lqq+uM3Bzcvc0JEejuZSWRt8q/1PaM/wv/kEwJ0pEzgwO1qo8NpQQuBpIJxUDnwLUofFd2ghzWLYlL6wPKN4MHYwEgYDVR0T' +
  'AQH/BAgwBgEB/wIBADAOBgNVHQ8BAf8EBAMCAQYwHQYDVR0OBBYEFB0F7vG/wkQivQjd9QEPK2Dv6IFMMB8GA1UdIwQYMBaA' +
  'FN49PFdvQvyfS7D3ht5k5Jy4yOPcMBAGCiqGSIb3Y2QGAg4EAgUAMAoGCCqGSM49BAMCA0gAMEUCIBBYqhwLluSS2ldtrg9N' +
  'OTgM/cJXahDZ5a5aTxl9+Sb4AiEA1iSXLs4IcNrtvGIpcB9FQD7QxQnRWkKJEiRntG8M7KI='

export const SIGNER_CERTIFICATE =
  'MIIB2zCCAYKgAwIBAgIBAzAKBggqhkjOPQQDAjBAMRswGQYDVQQKDBJTd2l0Y2h5YXJkIHNhbmRib3gxITAfBgNVBAMMGFRl' +
  'c3Qgd2FsbGV0IGludGVybWVkaWF0ZTAgFw0yMDAxMDEwMDAwMDBaGA8yMTAwMDEwMTAwMDAwMFowOjEbMBkGA1UECgwSU3dp' +
  'dGNoeWFyZCBzYW5kYm94MRswGQYDVQQDDBJUZXN0IHdhbGxldCBzaWduZXIwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAATV' +
  'GLN/AxaK6ZIvuuVmLhAMHCjxOSqA0DFvUeQ43hRsZqhBdBrJV2brBVmsCjAzbH+w/7sbVwQ9Lsj1ceOq9N71o3EwbzAMBgNV' +
  'HRMBAf8EAjAAMA4GA1UdDwEB/wQEAwIHgDAdBgNVHQ4EFgQUkhW8r2jUOecf+N9k/f4COjEHeTcwHwYDVR0jBBgwFoAUHQXu' +
  '8b/CRCK9CN31AQ8rYO/ogUwwDwYJKoZIhvdjZAYdBAIFADAKBggqhkjOPQQDAgNHADBEAiAra6bwvIlAbYxJE23NWKuYGgPb' +
  'JxxvFw/m2Db9Q5FPWwIgQe7j+k49pYSif4bjl9Fhq1TR3Q7NknvW5nAvYwiC9nY='

/** PKCS #8 in DER, in base64. */
export const SIGNER_KEY =
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgavrYNLI08H0kNf9LbsN2N8trurElGsuPLccIFQSa1pKhRANC' +
  'AATVGLN/AxaK6ZIvuuVmLhAMHCjxOSqA0DFvUeQ43hRsZqhBdBrJV2brBVmsCjAzbH+w/7sbVwQ9Lsj1ceOq9N71'

/** The same for the key in the place of Google's root signing keys. */
export const GOOGLE_ROOT_KEY =
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgiB3JZNRdE2MtkA1hrTVagjmQ2ojPkyZFY0Fz5Y1WCSmhRANC' +
  'AATmoOnddJPTdpl3h9aIu1e6Mue+JEyOXVh9akPXmqEiJvYSvZst5KughNR+eDVGRt1SFpRI0NA3v3TcVHCZ9msq'

/** The point of a public key of P-256: 65 bytes, as `createECDH` takes it. */
export function pointOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
}

/** A point as a public key in DER. */
export function toSpki(point: Buffer): Buffer {
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'))
  const key = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } as never })
  return key.export({ type: 'spki', format: 'der' })
}
