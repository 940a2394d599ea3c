/** What applies to every operation, in the Markdown of the document and, from there, on the page. */
export function introduction(publicUrl: string): string {
  return `The HTTP API of Switchyard, a payments service that you run yourself. Requests and answers are JSON in UTF-8; fields that an operation does not name are refused. Amounts are whole numbers of the currency’s smallest unit, and times are in UTC.

## Authentication

Every request carries a JSON Web Token, except the few that a buyer’s browser sends within a checkout session. You sign it with the private key of an API key pair, so the key itself never travels. On the machine that runs the service, one command makes a token:

\`\`\`
curl -H "Authorization: Bearer $(bin/switchyard token)" \\
  ${publicUrl}/api-key-pairs
\`\`\`

In your own code, use any JWT library. The header has the algorithm of the key in \`alg\` and its thumbprint in \`kid\`. The claims are \`exp\`, the time it expires, and \`scopes\`, a list such as \`["api-key-pairs.read", "roles.read"]\`. The scopes \`*.read\` and \`*.write\` stand for every resource; write does not include read. A call is allowed if both the scopes of the token and the roles of the key allow it.

## Merchant accounts

One installation can serve several shops, each a merchant account with its own data. The header \`X-Service-Merchant-Account-ID\` selects the one that a request acts on. Without it, the request acts on the first account of the key, or on \`default\` if the key reaches all. Lists also take \`*\`, for all accounts that the key can reach, and so does \`POST /webhook-subscriptions\`, with a key for all accounts.

## Pagination

Lists are newest first and come in pages. \`limit\` says how many items a page holds. To go on, pass the \`next_cursor\` of an answer as \`cursor\`, and \`previous_cursor\` to go back. Each is null if there is no such page. A cursor is opaque and fits only the list that it came from. Pages stay stable while records are added and removed.

## Idempotency

Give every POST an \`Idempotency-Key\` of your own, such as a UUID, and you can send it again whenever you are not sure that it arrived. The second request gets the answer of the first, marked \`Idempotent-Replayed: true\`, and nothing is done twice. Keys are kept for 72 hours. A request that was refused leaves its key free. While the first is still running, the second gets a 409; the same key with another request gets a 422.

## Request ids

Every answer has an \`X-Request-ID\`, which names the request in the log. If you send the header, we use your id, so that you can compare your log with ours.

## Errors

An error has a \`code\` for programs, a \`message\` for people, and \`details\`: one entry for each thing that is wrong, with the part of the request and a JSON pointer to the field. All that is wrong with a request is reported at once, up to 100 entries. After a 429, a 500 or above, or no answer, retry with the same idempotency key.`
}
