import { Icon } from '../parts/controls.tsx'
import { allows, RESOURCES, RIGHTS, type Right, resourceText } from './words.ts'

type Props = {
  readonly allowed: readonly string[]
  /** Without it, the matrix is only read. */
  readonly onChange?: (allowed: readonly string[]) => void
  /** What the person may give: their own rights. */
  readonly canGive?: (scope: string) => boolean
}

/** What a role may read and change, resource by resource. */
export function Matrix({ allowed, onChange, canGive = () => true }: Props) {
  const shown = onChange
    ? RESOURCES
    : RESOURCES.filter(({ name, rights }) => rights.some((right) => allows(allowed, name, right)))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reached by keyboard
    <section className="table-scroll" tabIndex={0} aria-label="Permissions: rows">
      <table className="matrix">
        <thead>
          <tr>
            <th scope="col">Resource</th>
            <th scope="col">Read</th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ name, rights }) => (
            <tr key={name}>
              <th scope="row">{resourceText(name)}</th>
              {RIGHTS.map((right) => (
                <td key={right}>
                  {rights.includes(right) && (
                    <Cell
                      label={`${right === 'read' ? 'Read' : 'Change'} ${resourceText(name).toLowerCase()}`}
                      isAllowed={allows(allowed, name, right)}
                      isFixed={!canGive(`${name}.${right}`)}
                      onToggle={onChange && (() => onChange(toggled(allowed, name, right)))}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

type CellProps = {
  readonly label: string
  readonly isAllowed: boolean
  readonly isFixed: boolean
  readonly onToggle: (() => void) | undefined
}

function Cell({ label, isAllowed, isFixed, onToggle }: CellProps) {
  if (onToggle)
    return (
      <input
        type="checkbox"
        aria-label={label}
        checked={isAllowed}
        disabled={isFixed && !isAllowed}
        onChange={onToggle}
      />
    )
  return isAllowed ? (
    <>
      <Icon name="check" />
      <span className="visually-hidden">Allowed</span>
    </>
  ) : (
    <span className="visually-hidden">Not allowed</span>
  )
}

/** `*.read` becomes the list of what it stands for, so that one of them can be taken away. */
function toggled(allowed: readonly string[], name: string, right: Right): readonly string[] {
  const scope = `${name}.${right}`
  const spelled = allowed.includes(`*.${right}`)
    ? [...allowed.filter((one) => one !== `*.${right}`), ...allOf(right)]
    : allowed
  return spelled.includes(scope) ? spelled.filter((one) => one !== scope) : [...spelled, scope]
}

function allOf(right: Right): readonly string[] {
  return RESOURCES.filter(({ rights }) => rights.includes(right)).map(({ name }) => `${name}.${right}`)
}
