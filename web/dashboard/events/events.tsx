import { EventDetail } from './detail.tsx'
import { EventList } from './list.tsx'

export const pages = { '/': EventList, '/$id': EventDetail }
