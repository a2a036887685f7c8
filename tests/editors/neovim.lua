-- In Neovim with the settings of docs/editor.md: open the file, send each request once, print the answers as JSON.
local file, told = vim.env.RULES, {}

local function position_of(text, beyond)
  for row, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local column = line:find(text, 1, true)
    if column then
      return row, column - 1 + beyond
    end
  end
end

local done, slip = pcall(function()
  vim.cmd.edit(file)
  vim.wait(120000, function()
    local client = vim.lsp.get_clients({ bufnr = 0 })[1]
    return client and client.initialized
  end, 20)
  local client = vim.lsp.get_clients({ bufnr = 0 })[1]
  local row, column = position_of("exception to price-of-ground", 13)
  vim.api.nvim_win_set_cursor(0, { row, column + 2 })

  local function ask(method, more)
    local given = vim.tbl_extend("force", vim.lsp.util.make_position_params(0, client.offset_encoding), more or {})
    local answer = vim.lsp.buf_request_sync(0, method, given, 120000)[client.id]
    assert(not answer.error, vim.inspect(answer.error))
    return answer.result
  end

  told.filetype, told.comment = vim.bo.filetype, vim.bo.commentstring
  told.root = client.root_dir
  told.captures = vim.tbl_map(function(each) return each.capture end, vim.treesitter.get_captures_at_pos(0, row - 1, column - 13))
  told.hover = ask("textDocument/hover").contents.value
  local place = ask("textDocument/definition")
  told.definition = vim.fs.basename(vim.uri_to_fname((place[1] or place).uri))
  told.references = #ask("textDocument/references", { context = { includeDeclaration = true } })
  local offered = ask("textDocument/completion")
  told.offered = vim.tbl_map(function(each) return each.label end, offered.items or offered)
  told.outline = #ask("textDocument/documentSymbol")
  told.folds = #ask("textDocument/foldingRange")
  told.highlights = #ask("textDocument/documentHighlight")
  local named = ask("textDocument/prepareRename")
  told.named = { named.start.character - column, named["end"].character - column }
  local renamed = ask("textDocument/rename", { newName = "fare-of-ground" })
  told.renamed = vim.tbl_count(renamed.changes or renamed.documentChanges)
  told.colors = #ask("textDocument/semanticTokens/full").data / 5
  told.anywhere = vim.tbl_map(function(each) return each.name end, ask("workspace/symbol", { query = "price-of" }))
  told.ran = {}
  for _, lens in ipairs(ask("textDocument/codeLens")) do
    if not told.ran[lens.command.title] then
      told.ran[lens.command.title] = ask("workspace/executeCommand", lens.command)
    end
  end
  local call, inside = position_of("entry_cost(", 11)
  vim.api.nvim_win_set_cursor(0, { call, inside })
  told.signature = ask("textDocument/signatureHelp").signatures[1].label

  local function replace(from, to)
    vim.api.nvim_buf_set_text(0, row - 1, column, row - 1, column + #from, { to })
  end
  replace("price-of-ground", "prise-of-ground")
  vim.wait(120000, function() return #vim.diagnostic.get(0) > 0 end, 20)
  told.slips = vim.tbl_map(function(each) return { each.code, each.lnum + 1 - row, each.col - column } end, vim.diagnostic.get(0))
  vim.api.nvim_win_set_cursor(0, { row, column + 2 })
  local slips = vim.tbl_map(function(each) return each.user_data.lsp end, vim.diagnostic.get(0))
  local range = vim.lsp.util.make_range_params(0, client.offset_encoding).range
  local repairs = ask("textDocument/codeAction", { range = range, context = { diagnostics = slips } })
  told.repairs = vim.tbl_map(function(each) return each.title end, repairs)
  replace("prise-of-ground", "price-of-ground")
  vim.wait(120000, function() return #vim.diagnostic.get(0) == 0 end, 20)
  told.mended = #vim.diagnostic.get(0)

  vim.api.nvim_buf_set_text(0, row - 1, 0, row - 1, 0, { "      " })
  vim.lsp.buf.format({ timeout_ms = 120000 })
  told.formatted = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n") == table.concat(vim.fn.readfile(file), "\n")
end)
told.failed = not done and slip or nil
io.stdout:write(vim.json.encode(told))
vim.cmd("qa!")
