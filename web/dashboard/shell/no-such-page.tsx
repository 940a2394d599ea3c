import { LinkButton } from '../parts/controls.tsx'
import { Empty, Page } from '../parts/page.tsx'

export function NoSuchPage() {
  return (
    <Page title="Not found">
      <div className="card">
        <Empty title="This page does not exist" action={<LinkButton to="/">Go to home</LinkButton>}>
          Check the address, or search with Ctrl K.
        </Empty>
      </div>
    </Page>
  )
}
