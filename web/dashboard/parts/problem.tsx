import { ApiError } from '../api/client.ts'
import { Button } from './button.tsx'
import { RequestId } from './request-id.tsx'

/** What went wrong while reading, with the id of the request, and a way to try again. */
export function Problem({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const { title, text } = wordsOf(error)
  return (
    <div className="empty" role="alert">
      <h2>{title}</h2>
      <p>{text}</p>
      {error instanceof ApiError && error.requestId !== null && <RequestId value={error.requestId} />}
      {retry && <Button onClick={retry}>Try again</Button>}
    </div>
  )
}

function wordsOf(error: unknown): { readonly title: string; readonly text: string } {
  if (!(error instanceof ApiError))
    return {
      title: 'Something went wrong',
      text: 'This is our mistake. Reload the page; if it happens again, tell your operator.',
    }
  if (error.status === 0)
    return {
      title: 'No connection',
      text: 'The server could not be reached. Check your connection and try again.',
    }
  if (error.status === 404)
    return {
      title: 'Not found',
      text: 'There is nothing here in this merchant account. Check the address, or select another account.',
    }
  if (error.status === 403)
    return {
      title: 'Not allowed',
      text: 'Your roles do not allow this. Ask an administrator for access.',
    }
  if (error.wantsDates)
    return {
      title: 'Choose a shorter period',
      text: 'This search covers too many rows. Choose a shorter period or a more specific filter.',
    }
  if (error.wantsShorterPeriod)
    return {
      title: 'Choose a shorter period',
      text: 'A period can have at most 366 days, and no more payments than can be counted in ten seconds. Choose fewer days, or add a filter.',
    }
  if (error.status >= 500)
    return {
      title: 'The server has a problem',
      text: 'It could not answer. Nothing was changed. Try again in a moment.',
    }
  return { title: error.message, text: error.details.map(({ message }) => message).join('. ') }
}
