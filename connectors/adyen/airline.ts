import type { AuthorizeOrder } from '#connectors/contract/orders.ts'
import { withoutNulls } from '#connectors/contract/requests.ts'
import { amountOf, plain } from './purchase.ts'
import type { Json } from './wire.ts'

type Airline = NonNullable<AuthorizeOrder['details']['airline']>
type Leg = NonNullable<Airline['legs']>[number]

/**
 * What schemes want to know of a flight. We cut or leave out what Adyen would refuse: a payment must not fail for it. The limits are those
 * of the type `Airline` in Adyen's library. Null: the order has no flight, or no passenger with a name, which Adyen requires.
 */
export function toAirline(order: AuthorizeOrder): Json | null {
  const { airline } = order.details
  const passengerName = airline && nameOf(order, airline)
  if (!airline || !passengerName) return null
  const passengers = passengersOf(airline)
  const legs = legsOf(order, airline)
  return withoutNulls({
    passengerName,
    designatorCode: designator(airline.issuing_iata_designator, airline.issuing_carrier_code),
    customerReferenceNumber: plain(airline.passenger_name_record ?? airline.booking_code, 20),
    computerizedReservationSystem: exactly(4, airline.reservation_system),
    ticket: partOf({
      number: whole(15, airline.ticket_number ?? airline.passengers?.[0]?.ticket_number),
      issueAddress: plain(airline.issued_address, 16),
      issueDate: airline.issued_at?.slice(0, 10),
    }),
    agency: partOf({
      invoiceNumber: whole(6, airline.travel_agency_invoice_number),
      planName: exactly(2, airline.travel_agency_plan_name),
    }),
    travelAgency: partOf({
      code: whole(8, airline.travel_agency_code),
      name: plain(airline.travel_agency_name, 25),
    }),
    // Adyen takes legs only with their passengers.
    passengers,
    legs: passengers && legs,
  })
}

/** As on a ticket: `FLYER/MARY MS`. */
function nameOf({ billing }: AuthorizeOrder, { passengers }: Airline): string | null {
  const { first_name, last_name, title } = passengers?.[0] ?? { ...billing, title: null }
  const first = [first_name, title].filter(Boolean).join(' ')
  return plain([last_name, first].filter(Boolean).join('/'), 20)
}

function passengersOf({ passengers }: Airline): readonly Json[] | null {
  const named = (passengers ?? []).flatMap((one) => {
    const [firstName, lastName] = [plain(one.first_name, 255), plain(one.last_name, 255)]
    if (!firstName || !lastName) return []
    return [
      withoutNulls({
        firstName,
        lastName,
        dateOfBirth: one.date_of_birth,
        phoneNumber: one.phone_number,
        travellerType: one.age_group && { adult: 'ADT', infant: 'INF' }[one.age_group],
      }),
    ]
  })
  return named.length > 0 ? named : null
}

/** All of them, or none: a part is another journey. */
function legsOf(order: AuthorizeOrder, { legs }: Airline): readonly Json[] | null {
  const flown = (legs ?? []).map((leg) => legOf(order, leg)).filter((leg) => leg !== null)
  return flown.length > 0 && flown.length === legs?.length ? flown : null
}

function legOf(order: AuthorizeOrder, leg: Leg): Json | null {
  const carrierCode = designator(leg.iata_designator, leg.carrier_code)
  const [from, to] = [exactly(3, leg.departure_airport), exactly(3, leg.arrival_airport)]
  if (!carrierCode || !from || !to) return null
  return withoutNulls({
    carrierCode,
    departureAirportCode: from,
    destinationAirportCode: to,
    dateOfTravel: leg.departure_at,
    // Without the carrier, which some write before it.
    flightNumber: /(\d{1,4}[A-Z]?)$/.exec(leg.flight_number ?? '')?.[1],
    classOfTravel: exactly(1, leg.flight_class) ?? exactly(1, leg.seat_class),
    fareBasisCode: whole(15, leg.fare_basis_code),
    departureTax: amountOf(order, leg.departure_tax_amount) || null,
    stopOverCode: typeof leg.stop_over === 'boolean' ? (leg.stop_over ? 'O' : 'X') : null,
  })
}

/** The code of an airline with two letters or digits. Others have three. */
function designator(...codes: readonly (string | null | undefined)[]): string | null {
  return codes.find((code) => /^[A-Z0-9]{2}$/.test(code ?? '')) ?? null
}

/** A code is sent as it is, or not at all: a part of it names something else. */
function whole(max: number, text: string | null | undefined): string | null {
  const taken = plain(text, max + 1)
  return taken && taken.length <= max ? taken : null
}

function exactly(length: number, text: string | null | undefined): string | null {
  const taken = whole(length, text)
  return taken?.length === length ? taken : null
}

function partOf(fields: Json): Json | null {
  const known = withoutNulls(fields)
  return Object.keys(known).length > 0 ? known : null
}
