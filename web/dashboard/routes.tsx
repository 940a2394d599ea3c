import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { kept, parseSearch, type Search, stringifySearch } from './address.ts'
import { AREAS, type Area, DOORS, FIRST_PATH } from './areas.ts'
import { PageProblem } from './parts/page.tsx'
import { Frame } from './shell/frame.tsx'
import { guarded, NoSuchPage } from './shell/guard.tsx'

const root = createRootRoute({ notFoundComponent: NoSuchPage, validateSearch: (search: Search) => search })
const frame = createRoute({ getParentRoute: () => root, id: 'frame', component: Frame })

const first = createRoute({
  getParentRoute: () => frame,
  path: '/',
  beforeLoad: ({ search }) => {
    throw redirect({ to: FIRST_PATH, search: kept(search) as never })
  },
})

const areas = AREAS.flatMap((area) =>
  area.pages.map((page) =>
    createRoute({
      getParentRoute: () => frame,
      path: page === '/' ? area.path : `${area.path}${page}`,
      component: lazyPage(area.load, page, (component) => guarded(component, area, page)),
    }),
  ),
)

const elsewhere = createRoute({ getParentRoute: () => frame, path: '$', component: NoSuchPage })

const doors = DOORS.paths.map((path) =>
  createRoute({ getParentRoute: () => root, path, component: lazyPage(DOORS.load, path) }),
)

export const router = createRouter({
  routeTree: root.addChildren([frame.addChildren([first, ...areas, elsewhere]), ...doors]),
  basepath: '/dashboard',
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultErrorComponent: PageProblem,
  scrollRestoration: true,
})

/** After an upgrade, a script of the old build may be gone: the router then loads the whole page again, once. */
function lazyPage(
  load: Area['load'],
  page: string,
  wrap = (component: ComponentType): ComponentType => component,
): RouteComponent {
  return lazyRouteComponent(async () => {
    const component = (await load()).pages[page]
    if (!component) throw new Error(`the area has no page ${page}`)
    return { default: wrap(component) }
  })
}
