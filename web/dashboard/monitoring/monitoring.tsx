import './monitoring.css'
import { MonitorDetail } from './detail.tsx'
import { IncidentDetail } from './incident.tsx'
import { IncidentList } from './incidents.tsx'
import { MonitorList } from './list.tsx'
import { NewMonitor } from './new.tsx'

export const pages = {
  '/': MonitorList,
  '/new': NewMonitor,
  '/incidents': IncidentList,
  '/incidents/$id': IncidentDetail,
  '/$id': MonitorDetail,
}
