import { createContext, use } from 'react'

/** The paths of the areas that the person may open. The frame knows them: an area does not know the others. */
export const Reach = createContext<readonly string[]>([])

/** Whether a path is in an area that the person may open. */
export function useReach(): (to: string) => boolean {
  const paths = use(Reach)
  return (to) => paths.some((path) => to === path || to.startsWith(`${path}/`))
}
