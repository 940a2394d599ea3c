import { List } from '../parts/list/list.tsx'
import { Page } from '../parts/page.tsx'
import { When } from '../parts/when.tsx'
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
          {
            id: 'number',
            title: 'Version',
            cell: ({ number }) => <span className="number">{number}</span>,
            text: ({ number }) => number,
          },
          {
            id: 'note',
            title: 'Change',
            cell: ({ note }) => <span className="clip">{sentence(note)}</span>,
            text: ({ note }) => note,
          },
          {
            id: 'author',
            title: 'By',
            from: 'tablet',
            cell: ({ author }) => author.name,
            text: ({ author }) => author.name,
          },
          {
            id: 'rules',
            title: 'Rules',
            isNumber: true,
            from: 'tablet',
            cell: ({ rule_count }) => rule_count,
            text: ({ rule_count }) => rule_count,
          },
          {
            id: 'created_at',
            title: 'When',
            isNumber: true,
            cell: ({ created_at }) => <When at={created_at} />,
            text: ({ created_at }) => created_at,
          },
        ]}
        to={({ number }) => `${HISTORY.to}/${number}`}
        empty={{ title: 'No rules yet', text: 'The first rule creates the first version.' }}
      />
    </Page>
  )
}
