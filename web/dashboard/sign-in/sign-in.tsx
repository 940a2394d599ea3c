import { client } from '../api/read.ts'
import { Button } from '../parts/button.tsx'
import { Door } from '../shell/door.tsx'
import { words } from './words.ts'

export const pages = { '/setup': SignIn, '/sign-in': SignIn }

/** For a person without a session. The shell shows it in place of the page that was asked for, or over it. */
export function SignIn() {
  return (
    <Door title={words.title}>
      <p>{words.text}</p>
      <Button tone="main" onClick={() => void client.invalidateQueries()}>
        {words.again}
      </Button>
    </Door>
  )
}
