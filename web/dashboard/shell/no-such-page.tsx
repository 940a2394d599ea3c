import { LinkButton } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Page } from '../parts/page.tsx'

export function NoSuchPage() {
  return (
    <Page title="Not found">
      <div className="card">
        <Empty title="There is no such page" action={<LinkButton to="/">Go to the start</LinkButton>}>
          Check the address, or look for it with Ctrl K.
        </Empty>
      </div>
    </Page>
  )
}
