import type { Office } from './office.ts'
import * as pages from './pages.ts'
import { isId } from './requests.ts'

/**
 * What the page of a new card shows its buyer. The service that asks makes the page. Number and PIN come only after a click, so
 * that programs which open the links in a message do not see them.
 */
export async function answerPage(office: Office, request: Request): Promise<Response> {
  const [, , id = '', key = ''] = new URL(request.url).pathname.split('/')
  if (!isId(id) || !pages.isKeyOf(office, id, key)) return answer(404, { code: 'not_found' })
  const facts = await pages.find(office, id)
  const card = facts && request.method === 'POST' ? await pages.reveal(office, id) : null
  const isGone = !facts || (request.method === 'POST' && !card)
  return isGone ? answer(410, { code: 'no_longer_shown' }) : answer(200, { ...facts, card })
}

function answer(status: number, body: object): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store' } })
}
