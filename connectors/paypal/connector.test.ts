import { describeConnector } from '#connectors/contract/suite.ts'
import { payPal, payPalCard } from './connectors.ts'
import { openBench } from './testing/bench.ts'

describeConnector(payPal, () => openBench(payPal))
describeConnector(payPalCard, () => openBench(payPalCard))
