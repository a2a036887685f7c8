// Questions to the server this page came from.

/** What the server refused, in a sentence; `status` 409: another window was quicker. */
export class Refused extends Error {
  constructor(message, status) {
    super(message.charAt(0).toUpperCase() + message.slice(1));
    this.status = status;
  }
}

const GONE = "the server of this page does not answer; run `rulewright open` again. Games and experiments are stored in files";

async function answered(request) {
  let response;
  try {
    response = await request;
  } catch {
    throw new Refused(GONE, 0);
  }
  const data = await response.json().catch(() => ({ error: GONE }));
  if (!response.ok) throw new Refused(data.error ?? GONE, response.status);
  return data;
}

/** Write what is asked as part of an address. */
export function address(name, asked) {
  const parts = new URLSearchParams();
  for (const [key, value] of Object.entries(asked)) {
    for (const each of Array.isArray(value) && key === "change" ? value : [value]) parts.append(key, String(each));
  }
  return `api/${name}?${parts}`;
}

/** Ask without changing anything. */
export const read = (name, asked = {}) => answered(fetch(address(name, asked)));

/** Ask for a change. */
export const write = (name, asked) =>
  answered(fetch(`api/${name}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(asked) }));

/** Fetch a drawing as a document, so that no text is made into markup here. */
export function drawing(asked) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("GET", address("picture", asked));
    request.responseType = "document";
    request.onload = () => {
      const root = request.responseXML?.documentElement;
      if (request.status === 200 && root?.nodeName === "svg") resolve(document.importNode(root, true));
      else reject(new Refused("the map could not be drawn", request.status));
    };
    request.onerror = () => reject(new Refused(GONE, 0));
    request.send();
  });
}
