import { List } from '../parts/list/list.tsx'
import { Page } from '../parts/page.tsx'
import { Ways } from './ways.tsx'
import { HISTORY, sentence } from './words.ts'

/** Every change of a rule made a version. */
export function History() {
  return (
    <Page title="Rule history" under="Every change creates a new version. Versions are never changed.">
      <Ways />
      <List
        name="rule-versions"
        route="GET /flows/versions"
        columns={[
          { id: 'number', title: 'Version', look: 'number', text: ({ number }) => number },
          {
            id: 'note',
            title: 'Change',
            cell: ({ note }) => <span className="clip">{sentence(note)}</span>,
            text: ({ note }) => note,
          },
          { id: 'author', title: 'By', from: 'tablet', text: ({ author }) => author.name },
          {
            id: 'rules',
            title: 'Rules',
            from: 'tablet',
            isNumber: true,
            text: ({ rule_count }) => rule_count,
          },
          { id: 'created_at', title: 'When', isTime: true, text: ({ created_at }) => created_at },
        ]}
        to={({ number }) => `${HISTORY.to}/${number}`}
        empty={{ title: 'No rules yet', text: 'The first rule creates the first version.' }}
      />
    </Page>
  )
}
