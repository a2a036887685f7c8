// Edit a file in code-server: node browser.js PLAYWRIGHT CHROMIUM URL FILE > findings and the line, as JSON.
const [playwright, chromium, url, file] = process.argv.slice(2);
const seen = {};

async function main() {
  const launched = { executablePath: chromium, args: ["--no-sandbox"] };
  const browser = await require(playwright).chromium.launch(launched);
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  page.setDefaultTimeout(120000);
  const texts = (selector) => page.$$eval(selector, (all) => all.map((each) => each.innerText.replaceAll("\u00a0", " ")));
  await page.goto(url);
  await page.waitForSelector(".explorer-folders-view .monaco-list-row");
  await page.keyboard.press("Control+P");
  await page.waitForSelector(".quick-input-widget input");
  await page.keyboard.type(file);
  await page.waitForSelector(`.quick-input-list .monaco-list-row[aria-label*="${file}"]`);
  await page.keyboard.press("Enter");
  await page.waitForSelector(".view-line");
  seen.sound = (await page.$$(".squiggly-error")).length;
  await page.keyboard.press("Control+G");
  await page.waitForSelector(".quick-input-widget input");
  await page.keyboard.type("19");
  await page.keyboard.press("Enter");
  await page.keyboard.press("End");
  const typed = Date.now();
  await page.keyboard.type(" and some(");
  await page.waitForSelector(".squiggly-error");
  seen.milliseconds = Date.now() - typed;
  await page.waitForTimeout(2000);
  seen.line = (await texts(".view-line")).find((each) => each.includes("and some("));
  await browser.close();
}

main().then(
  () => process.stdout.write(JSON.stringify(seen)),
  (slip) => (process.stderr.write(`${slip}`), process.exit(1)),
);
