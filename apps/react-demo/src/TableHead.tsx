export function TableHead() {
  return (
    <thead>
      <tr>
        <th scope="col">Token</th>
        <th scope="col">Chain</th>
        <th scope="col" className="number">
          Amount
        </th>
        <th scope="col" className="number">
          Price
        </th>
        <th scope="col" className="number">
          Value
        </th>
      </tr>
    </thead>
  )
}
